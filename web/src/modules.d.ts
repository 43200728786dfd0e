// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Texts that esbuild puts into the bundle (web/bundle.cmake).
declare module "*.css" {
  const text: string;
  export default text;
}
declare module "wick-worker" {
  const text: string;
  export default text;
}
