"""From a live dataset to the pipeline that the program wrote, with its functions and places in the source."""
