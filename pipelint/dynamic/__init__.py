"""The dynamic front end: live tf.data pipelines, run and measured. Only modules named in `worker` import TensorFlow."""
