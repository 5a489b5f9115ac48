"""What rules see: pipelines and their stages, traced functions, loops, calls, findings and fixes."""
