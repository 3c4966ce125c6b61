"""The MCP server: the memory as tools, resources and prompts of an agent, over standard input and output."""
