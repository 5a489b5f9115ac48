"""What a run has to tell, one module for each format."""
