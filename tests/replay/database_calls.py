"""Records the calls that the samples of PyTorch's operator database make, each operator in a stage of its own."""

import database
import opcov
import torch


def record_database(folder, share, part=0):
    """Of every `share`th operator, beginning with the `part`th, into one record file."""
    with torch.inference_mode(), opcov.record(folder, ops="aten::*"):
        for op in database.operators(share, part):
            opcov.pause()
            calls = database.samples(op)
            opcov.resume()
            with opcov.stage(database.label(op)):
                for call in calls:
                    call()
