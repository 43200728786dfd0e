// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Where the page begins: loads the profile, starts the engine in a worker, then shows the frame (app/app.ts).

import workerText from "wick-worker";
import { App } from "./app/app";
import { Client } from "./app/client";
import { threadCosts } from "./app/costs";
import { addStyle, h, setText } from "./app/dom";
import { hasServer, loadProfile } from "./app/load";
import style from "./app/style.css";
import { Matcher } from "./app/matcher";
import { defaultState } from "./app/state";
import { Symbols } from "./app/symbols";
import { ThemeSwitch } from "./app/theme";
import { cost } from "./format/cost";
import { clean } from "./format/name";

const kBytes = { unit: "bytes", divisor: 1 };

const workerUrl = URL.createObjectURL(new Blob([workerText], { type: "text/javascript" }));

async function start(root: HTMLElement, theme: ThemeSwitch): Promise<void> {
  const text = h("p", { text: "Loading the profile", role: "status" });
  const fill = h("i");
  const bar = h("div", { class: "bar endless", role: "progressbar", attributes: { "aria-label": "Loading" } }, fill);
  root.replaceChildren(h("div", { class: "state" }, bar, text));
  const client = new Client(new Worker(workerUrl));
  client.busy = (isBusy) => root.setAttribute("aria-busy", String(isBusy));
  const bytes = await loadProfile((received, total) => {
    const known = total > 0 && received <= total;
    bar.classList.toggle("endless", !known);
    if (known) fill.style.transform = `scaleX(${received / total})`;
    setText(text, known ? `Loading the profile: ${cost(received, kBytes)} of ${cost(total, kBytes)}` : `Loading the profile: ${cost(received, kBytes)}`);
  });
  bar.classList.add("endless");
  fill.style.transform = "";
  setText(text, "Reading the profile");
  const opened = await client.ask("open", { bytes }, undefined, [bytes]);
  const { meta, symbols } = opened;
  const matcher = new Matcher(() => new Worker(workerUrl), opened);
  client.matcher = matcher;
  const first = defaultState(meta);
  const costs = await threadCosts(client.ask.bind(client), meta, first.event, null);
  new App(root, client, theme, meta, new Symbols(symbols, meta), costs);
  setTimeout(() => matcher.prepare(), 500); // after the first picture
}

function showError(root: HTMLElement, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  const memory = error instanceof RangeError || /memory|allocation|array buffer/i.test(message);
  const unreachable = error instanceof TypeError && /fetch|network/i.test(message);
  let title = "Cannot show this profile";
  let hint = hasServer ? "Check the file with: wick report FILE" : "The file is damaged or incomplete. Export it again: wick export --format html";
  if (memory) {
    title = "Not enough memory for this profile";
    hint = "Close other pages, or record for a shorter time or at a lower rate.";
  } else if (unreachable && hasServer) {
    title = "wick view is not running";
    hint = "Start it again and open the address that it prints.";
  } else if (/\bversion\b/.test(message)) {
    hint = "This page comes from another version of wick. Close it and open the address that wick view prints.";
  }
  root.replaceChildren(
    h(
      "main",
      { class: "state", role: "alert" },
      h("h1", { text: title }),
      !unreachable && h("p", { text: clean(message) }),
      h("p", { text: hint }),
      hasServer && h("button", { class: "button framed", text: "Try again", on: { click: () => location.reload() } }),
    ),
  );
}

addStyle(style);
const theme = new ThemeSwitch(); // before anything is drawn
const root = h("div", { class: "root" });
root.style.height = "100%";
document.body.append(root);
start(root, theme).catch((error: unknown) => showError(root, error));
