"""The dynamic front end: live tf.data pipelines, run and measured in one process and analysed in another."""
