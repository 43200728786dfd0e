// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Menus and panels that float above the page: one at a time, on the screen as a whole, closed by Esc or a press elsewhere. The
// focus goes back to where it was.

import { add, clamp, h, type Child } from "./dom";

let close: (() => void) | null = null;
let openedBy: HTMLElement | null = null;

export function closePopup(): boolean {
  if (close === null) return false;
  close();
  return true;
}

export interface Place {
  x: number;
  y: number;
  alignRight?: boolean; // x is the right edge
  above?: number; // if there is no room below: the bottom edge goes here
}

export function placeBelow(element: HTMLElement): Place {
  const box = element.getBoundingClientRect();
  const alignRight = box.left > innerWidth / 2;
  return { x: alignRight ? box.right : box.left, y: box.bottom + 4, alignRight, above: box.top - 4 };
}

export function openPopup(content: HTMLElement, place: Place, button: HTMLElement | null = null): void {
  const again = button !== null && openedBy === button && close !== null;
  closePopup();
  if (again) return;
  const before = document.activeElement instanceof HTMLElement ? document.activeElement : null;
  content.classList.add("popup");
  document.body.append(content);
  const box = content.getBoundingClientRect();
  let x = place.alignRight ? place.x - box.width : place.x;
  let y = place.y;
  if (y + box.height > innerHeight - 8) y = place.above !== undefined ? place.above - box.height : place.y - box.height;
  x = clamp(x, 8, Math.max(8, innerWidth - box.width - 8));
  y = clamp(y, 8, Math.max(8, innerHeight - box.height - 8));
  content.style.left = `${x}px`;
  content.style.top = `${y}px`;
  button?.setAttribute("aria-expanded", "true");
  openedBy = button;

  const press = (event: Event) => {
    const target = event.target as Node;
    if (!content.contains(target) && !button?.contains(target)) closePopup();
  };
  const key = (event: KeyboardEvent) => {
    if (event.key === "Escape" || event.key === "Tab") {
      if (event.key === "Escape") event.preventDefault();
      if (event.key === "Tab" && content.getAttribute("role") !== "menu") return; // panels have several controls
      event.stopPropagation();
      closePopup();
    }
  };
  const away = () => closePopup();
  document.addEventListener("pointerdown", press, true);
  content.addEventListener("keydown", key);
  addEventListener("blur", away);
  addEventListener("resize", away);
  close = () => {
    close = null;
    openedBy = null;
    document.removeEventListener("pointerdown", press, true);
    removeEventListener("blur", away);
    removeEventListener("resize", away);
    button?.setAttribute("aria-expanded", "false");
    const hadFocus = content.contains(document.activeElement);
    content.remove();
    if (hadFocus) before?.focus({ preventScroll: true });
  };
  const first = content.querySelector<HTMLElement>("[role^=menuitem]:not([aria-disabled=true]), input, button");
  (first ?? content).focus({ preventScroll: true });
}

export interface MenuItem {
  text: string;
  detail?: string;
  key?: string; // shown, and picks the item while the menu is open
  checked?: boolean;
  disabled?: boolean;
  run(): void;
}
export type MenuEntry = MenuItem | "line" | { heading: string; strong?: boolean };

// A menu: arrows move, letters pick.
export function openMenu(label: string, entries: readonly MenuEntry[], place: Place, button: HTMLElement | null = null): void {
  const items: { element: HTMLElement; item: MenuItem }[] = [];
  const children: Child[] = entries.map((entry) => {
    if (entry === "line") return h("hr");
    if ("heading" in entry) return h("div", { class: `heading${entry.strong ? " strong" : ""}`, text: entry.heading, title: entry.heading });
    const isCheck = entry.checked !== undefined;
    const element = h(
      "button",
      {
        class: "menu-item",
        role: isCheck ? "menuitemradio" : "menuitem",
        tabIndex: -1,
        attributes: { "aria-disabled": String(entry.disabled === true), ...(isCheck ? { "aria-checked": String(entry.checked) } : {}) },
        on: { click: () => pick(entry) },
      },
      isCheck && h("span", { class: "check", text: entry.checked ? "✓" : "" }),
      h("span", { class: "text", text: entry.text, title: entry.text }),
      entry.detail !== undefined && h("span", { class: "detail", text: entry.detail }),
      entry.key !== undefined && h("kbd", { text: entry.key }),
    );
    items.push({ element, item: entry });
    return element;
  });
  const pick = (item: MenuItem) => {
    if (item.disabled) return;
    closePopup();
    item.run();
  };
  const usable = items.filter(({ item }) => !item.disabled);
  const content = h("div", {
    role: "menu",
    tabIndex: -1,
    attributes: { "aria-label": label },
    on: {
      keydown: (event) => {
        const at = usable.findIndex(({ element }) => element === document.activeElement);
        const go = (i: number) => usable[(i + usable.length) % usable.length]?.element.focus();
        if (event.key === "ArrowDown") go(at + 1);
        else if (event.key === "ArrowUp") go(at < 0 ? -1 : at - 1);
        else if (event.key === "Home") go(0);
        else if (event.key === "End") go(-1);
        else if (event.key === "Enter" || event.key === " ") {
          if (at >= 0) pick(usable[at]!.item);
        } else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) {
          const found = usable.find(({ item }) => item.key === event.key);
          if (found !== undefined) pick(found.item);
        } else return;
        event.preventDefault();
        event.stopPropagation();
      },
      contextmenu: (event) => event.preventDefault(),
    },
  });
  add(content, ...children);
  openPopup(content, place, button);
}
