"""A Wan text-to-video model in small: diffusers' own classes, random weights, one generation loop.

The transformer runs in bfloat16 and the decoder, made of causal 3-D convolutions, in float32, as the full-size model
does. Weights are drawn from a seed, so nothing is downloaded and every rank holds the same ones.
"""

from __future__ import annotations

import os
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Callable

os.environ.setdefault("DIFFUSERS_VERBOSITY", "error")

import torch
from diffusers import AutoencoderKLWan, FlowMatchEulerDiscreteScheduler, WanTransformer3DModel

TEXT_TOKENS = 16
TEXT_DIM = 64
LATENT_CHANNELS = 16

Stage = Callable[[str], AbstractContextManager]


@dataclass(frozen=True)
class ClipSize:
    """Pixels and latent frames of a clip; the decoder makes 8x8 pixels and four frames of one latent."""

    height: int
    width: int
    latent_frames: int = 2

    @classmethod
    def parse(cls, text: str) -> "ClipSize":
        """From "64x96"; both must be multiples of 16, the edge of a patch in pixels."""
        height, width = (int(part) for part in text.split("x"))
        if height % 16 or width % 16:
            raise ValueError(f"clip size {text}: height and width must be multiples of 16")
        return cls(height, width)

    @property
    def latent_shape(self) -> tuple[int, ...]:
        return (1, LATENT_CHANNELS, self.latent_frames, self.height // 8, self.width // 8)


@dataclass
class WanModel:
    transformer: WanTransformer3DModel
    vae: AutoencoderKLWan

    @classmethod
    def build(cls, device: torch.device, seed: int = 0) -> "WanModel":
        torch.manual_seed(seed)
        transformer = WanTransformer3DModel(
            num_attention_heads=4,
            attention_head_dim=32,
            text_dim=TEXT_DIM,
            freq_dim=64,
            ffn_dim=512,
            num_layers=2,
        )
        vae = AutoencoderKLWan(base_dim=16, dim_mult=[1, 2, 2, 2], num_res_blocks=1)
        return cls(
            transformer.eval().to(device=device, dtype=torch.bfloat16),
            vae.eval().to(device=device, dtype=torch.float32),
        )

    @torch.inference_mode()
    def generate(self, size: ClipSize, steps: int, prompt_seed: int, stage: Stage) -> torch.Tensor:
        """One clip as floats in [-1, 1], of shape (channels, frames, height, width).

        `stage(name)` is entered around each part of the work: "dit" and "vae".
        """
        device = next(self.transformer.parameters()).device
        # Drawn on the CPU: the same noise on every device.
        noise = torch.Generator().manual_seed(prompt_seed)
        latents = torch.randn(size.latent_shape, generator=noise).to(device)
        prompts = torch.randn((2, 1, TEXT_TOKENS, TEXT_DIM), generator=noise).to(device, torch.bfloat16)
        with stage("dit"):
            latents = self._denoise(latents, prompts, steps)
        with stage("vae"):
            return self._decode(latents)[0]

    def _denoise(self, latents: torch.Tensor, prompts: torch.Tensor, steps: int) -> torch.Tensor:
        scheduler = FlowMatchEulerDiscreteScheduler(shift=3.0)
        scheduler.set_timesteps(steps, device=latents.device)
        for time in scheduler.timesteps:
            hidden = latents.to(torch.bfloat16)
            with_prompt, without = (self.transformer(hidden, time.expand(1), p).sample.float() for p in prompts)
            guided = without + 5.0 * (with_prompt - without)
            latents = scheduler.step(guided, time, latents).prev_sample
        return latents

    def _decode(self, latents: torch.Tensor) -> torch.Tensor:
        shape = (1, LATENT_CHANNELS, 1, 1, 1)
        mean = torch.tensor(self.vae.config.latents_mean, device=latents.device).view(shape)
        std = torch.tensor(self.vae.config.latents_std, device=latents.device).view(shape)
        return self.vae.decode(latents * std + mean).sample


def to_pixels(clip: torch.Tensor) -> torch.Tensor:
    """A clip of generate() as bytes, of shape (frames, height, width, channels)."""
    return ((clip.clamp(-1, 1) + 1) * 127.5).round().to(torch.uint8).permute(1, 2, 3, 0).contiguous()
