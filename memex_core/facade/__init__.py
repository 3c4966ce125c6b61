"""The parts that :class:`memex_core.memex.Memex` is made of, one a family of operations."""
