// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Building elements. Text goes in as text nodes only: names of functions are foreign text.

export type Child = Node | string | null | undefined | false;

export interface Props {
  class?: string;
  text?: string;
  title?: string;
  id?: string;
  role?: string;
  tabIndex?: number;
  hidden?: boolean;
  attributes?: Record<string, string>; // "aria-…" etc.
  on?: { [K in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[K]) => void };
}

export function h<K extends keyof HTMLElementTagNameMap>(tag: K, props: Props = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (props.class !== undefined) element.className = props.class;
  if (props.text !== undefined) element.textContent = props.text;
  if (props.title !== undefined) element.title = props.title;
  if (props.id !== undefined) element.id = props.id;
  if (props.role !== undefined) element.setAttribute("role", props.role);
  if (props.tabIndex !== undefined) element.tabIndex = props.tabIndex;
  if (props.hidden !== undefined) element.hidden = props.hidden;
  for (const [name, value] of Object.entries(props.attributes ?? {})) element.setAttribute(name, value);
  for (const [name, handler] of Object.entries(props.on ?? {})) element.addEventListener(name, handler as EventListener);
  add(element, ...children);
  return element;
}

export function add(element: Element, ...children: Child[]): void {
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
}

// Replaces the children, unless they are the same text.
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

export function addStyle(text: string): void {
  const style = document.createElement("style");
  style.textContent = text;
  document.head.append(style);
}

// A function that runs `draw` in the next frame, once however often it is called until then.
export function perFrame(draw: () => void): () => void {
  let frame = 0;
  return () => {
    if (frame !== 0) return;
    frame = requestAnimationFrame(() => {
      frame = 0;
      draw();
    });
  };
}

// The keys that open the menu of what is selected.
export function isMenuKey(event: KeyboardEvent): boolean {
  return event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey);
}

// Icons on a grid of 16 pixels, drawn as lines.
const kIcons = {
  search: "M7 3a4 4 0 1 0 0 8a4 4 0 0 0 0-8zM10 10l3.5 3.5",
  zoomIn: "M7 3a4 4 0 1 0 0 8a4 4 0 0 0 0-8zM10 10l3.5 3.5M5.2 7h3.6M7 5.2v3.6",
  zoomOut: "M7 3a4 4 0 1 0 0 8a4 4 0 0 0 0-8zM10 10l3.5 3.5M5.2 7h3.6",
  next: "M4 6l4 4l4-4",
  previous: "M4 10l4-4l4 4",
  right: "M6 4l4 4l-4 4",
  close: "M4.5 4.5l7 7M11.5 4.5l-7 7",
  auto: "M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 0 0 0-11zM8 2.5v11M8 5l3.5-1M8 8h5.5M8 11l3.5 1",
  light: "M8 5a3 3 0 1 0 0 6a3 3 0 0 0 0-6zM8 1.5v1.2M8 13.3v1.2M1.5 8h1.2M13.3 8h1.2M3.4 3.4l.85.85M11.75 11.75l.85.85M3.4 12.6l.85-.85M11.75 4.25l.85-.85",
  dark: "M13 9.4A5.5 5.5 0 0 1 6.6 3a5.5 5.5 0 1 0 6.4 6.4z",
  help: "M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 0 0 0-11zM6.4 6.5a1.6 1.6 0 1 1 2.3 1.4c-.5.3-.7.6-.7 1.1M8 10.9v.3",
  save: "M8 2.5v7M5 6.8l3 3l3-3M3 12.5h10",
  compare: "M3 3.5h4v9H3zM9 3.5h4v9H9z",
  swap: "M3 5.5h9M9.5 3l2.5 2.5L9.5 8M13 10.5H4M6.5 8L4 10.5L6.5 13",
  event: "M2.5 11l3-5l2.5 3.5l2-3l3.5 4.5",
  warning: "M8 2.5l6 10.5H2zM8 6.5v3M8 11.2v.3",
} as const;
export type IconName = keyof typeof kIcons;

export function icon(name: IconName): SVGSVGElement {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", kIcons[name]);
  svg.append(path);
  return svg;
}

export function clamp(value: number, low: number, high: number): number {
  return value < low ? low : value > high ? high : value;
}
