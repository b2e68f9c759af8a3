"""The same service as others would write it, each on its own stack, to be measured beside ours."""
