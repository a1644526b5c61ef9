// `npm run build`: makes dist/, which production runs. Finding, reading and linking some 1,500 module
// files takes half of a start. So modules that are loaded together are one file, our own and those
// of packages, and each command loads the files that it needs. The types are checked by tsc.

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { build, type Plugin } from 'esbuild'

const ROOT = import.meta.dirname

/** It looks for files beside its own. */
const APART = ['@bull-board/*']

/** Stay apart too: in a file of its own, a package in CommonJS would lose its named exports. */
const LOADED_LATER: Plugin = {
  name: 'packages that are loaded later',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^[^.]/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { external: true } : undefined,
    ),
}

/** A package in CommonJS calls `require` for the modules of Node. */
const REQUIRE = `import { createRequire as requireOf } from 'node:module'
const require = requireOf(import.meta.url)`

/** The entry points, by their paths from the root, keep their paths in the folder. */
export async function bundle(entryPoints: readonly string[], folder: string): Promise<void> {
  await build({
    entryPoints: entryPoints.map((path) => join(ROOT, path)),
    outdir: folder,
    outbase: ROOT,
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    external: APART,
    plugins: [LOADED_LATER],
    banner: { js: REQUIRE },
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    sourcemap: true,
    sourcesContent: false,
    tsconfig: join(ROOT, 'tsconfig.json'),
    logLevel: 'warning',
  })
}

if (process.argv[1] === import.meta.filename) {
  const folder = join(ROOT, 'dist')
  for (const part of ['src', 'chunks']) rmSync(join(folder, part), { recursive: true, force: true })
  await bundle(['src/main.ts'], folder)
}
