"""A program in the manner of a video model, on one GPU with nccl: two stages, linear layers and 3-D convolutions.

Prints a digest of all bits of its result. `--trace FILE` also has torch's ExecutionTraceObserver write what it saw.
"""

import argparse
import hashlib

import opcov
import torch
import torch.distributed as dist

STEPS = 4


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--trace")
    parser.add_argument("--device", default="cuda")
    args = parser.parse_args()
    device = torch.device(args.device)
    backend = "nccl" if device.type == "cuda" else "gloo"
    dist.init_process_group(backend, store=dist.HashStore(), rank=0, world_size=1)
    torch.manual_seed(0)
    blocks = torch.nn.Sequential(*(torch.nn.Linear(64, 64) for _ in range(3))).to(device, torch.bfloat16)
    decoder = torch.nn.Conv3d(4, 8, 3, padding=1).to(device)
    observer = None
    if args.trace:
        observer = torch.profiler.ExecutionTraceObserver().register_callback(args.trace)
        observer.start()
    with torch.inference_mode():
        x = torch.randn(2, 640, 64, generator=torch.Generator().manual_seed(1)).to(device, torch.bfloat16)
        with opcov.stage("dit"):
            for _ in range(STEPS):
                x = blocks(x)
                dist.all_reduce(x)
        with opcov.stage("vae"):
            clip = decoder(x.float().reshape(2, 4, 10, 32, 32))
    if observer is not None:
        observer.stop()
        observer.unregister_callback()
    print(hashlib.sha256(clip.cpu().numpy().tobytes()).hexdigest())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
