"""Generates clips on every rank of a torchrun launch; rank 0 turns them into pictures.

On CPU (gloo) each rank makes a clip of its own. With a GPU a rank (nccl) all ranks share one clip, its sequence split
over them by diffusers' context parallelism. Where ranks outnumber GPUs, they share these, each with its own clip.

Nothing here starts a recording: that is OPCOV=1 in the environment. The program only names its stages.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import opcov
import torch
import torch.distributed as dist
from model import ClipSize, WanModel, to_pixels
from PIL import Image


def init_ranks() -> tuple[torch.device, bool]:
    """Joins the process group of torchrun. The device of this rank, and whether every rank has one of its own."""
    local_rank = int(os.environ.get("LOCAL_RANK", 0))
    local_size = int(os.environ.get("LOCAL_WORLD_SIZE", 1))
    gpus = torch.cuda.device_count()
    device = torch.device("cuda", local_rank % gpus) if gpus else torch.device("cpu")
    gpu_each = gpus >= local_size
    if gpus:
        torch.cuda.set_device(device)
    if "RANK" in os.environ:
        dist.init_process_group("nccl" if gpu_each else "gloo", device_id=device if gpu_each else None)
    return device, gpu_each


def split_sequence(model: WanModel, ranks: int) -> None:
    """Spreads the transformer's sequence over the ranks. diffusers offers this for accelerators only."""
    from diffusers import ContextParallelConfig

    model.transformer.enable_parallelism(config=ContextParallelConfig(ulysses_degree=ranks))


def gather_on_first(clip: torch.Tensor) -> list[torch.Tensor]:
    """Every rank's clip on rank 0, nothing on the others."""
    if not dist.is_initialized() or dist.get_world_size() == 1:
        return [clip]
    clip = clip.cpu().contiguous()  # gloo works on host memory
    clips = [torch.empty_like(clip) for _ in range(dist.get_world_size())] if dist.get_rank() == 0 else None
    dist.gather(clip, clips)
    return clips or []


def write_gif(clip: torch.Tensor, path: Path) -> None:
    frames = [Image.fromarray(frame) for frame in to_pixels(clip).cpu().numpy()]
    frames[0].save(path, save_all=True, append_images=frames[1:], duration=125, loop=0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="for the pictures")
    parser.add_argument("--size", type=ClipSize.parse, default=ClipSize(96, 160), metavar="HxW")
    parser.add_argument("--steps", type=int, default=4)
    args = parser.parse_args()

    device, gpu_each = init_ranks()
    rank, ranks = (dist.get_rank(), dist.get_world_size()) if dist.is_initialized() else (0, 1)
    share_clip = gpu_each and ranks > 1
    model = WanModel.build(device)
    if share_clip:
        split_sequence(model, ranks)
    clip = model.generate(args.size, args.steps, prompt_seed=0 if share_clip else rank, stage=opcov.stage)

    clips = [clip] if share_clip else gather_on_first(clip)
    if rank == 0:
        args.folder.mkdir(parents=True, exist_ok=True)
        with torch.inference_mode(), opcov.stage("output"):
            for number, clip in enumerate(clips):
                write_gif(clip, args.folder / f"clip{number}.gif")
        print(f"Wrote {len(clips)} clips to {args.folder}")
    if dist.is_initialized():
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
