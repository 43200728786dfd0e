// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Saving pictures and copying text.

// "perf-record-hot_loop.svg": a file name from foreign text.
export function fileName(title: string, view: string, extension: string): string {
  const safe = title.replace(/[^\w.-]+/g, "-").replace(/^[-.]+|-+$/g, "").slice(0, 60);
  return `${safe === "" ? "wick" : safe}-${view}.${extension}`;
}

export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export function svgBlob(svg: string): Blob {
  return new Blob([svg], { type: "image/svg+xml;charset=utf-8" });
}

// Draws an SVG at twice its size, as screens of today do.
export async function pngBlob(svg: string): Promise<Blob> {
  const url = URL.createObjectURL(svgBlob(svg));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    const most = 16_000; // of what browsers allow in one direction
    const scale = Math.min(2, most / Math.max(image.naturalWidth, image.naturalHeight, 1));
    canvas.width = Math.max(1, Math.round(image.naturalWidth * scale));
    canvas.height = Math.max(1, Math.round(image.naturalHeight * scale));
    const g = canvas.getContext("2d");
    if (g === null) throw new Error("no canvas");
    g.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
    if (blob === null) throw new Error("the picture is too large");
    return blob;
  } finally {
    URL.revokeObjectURL(url);
  }
}

export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Pages from disk may not have the clipboard.
    const area = document.createElement("textarea");
    area.value = text;
    area.style.position = "fixed";
    area.style.opacity = "0";
    document.body.append(area);
    const before = document.activeElement;
    area.select();
    const copied = document.execCommand("copy");
    area.remove();
    if (before instanceof HTMLElement) before.focus();
    if (!copied) throw new Error("the browser does not allow to copy");
  }
}
