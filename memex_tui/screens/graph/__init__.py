"""The Graph area: a page's neighbourhood as map, lanes and list, and the store seen from far away."""
