// `npm run build`: makes dist/, which production runs. Finding, reading and linking some 1,500
// module files takes half of a start. So modules that are loaded together are one file, our own and
// those of packages, and each command loads the files that it needs. The types are checked by `npm
// run check`.

import { spawnSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
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

const COMMIT = /^[0-9a-f]{7}/

/**
 * The commit of the sources in this folder. In an image there is no checkout, so its build names it
 * in GIT_COMMIT. A checkout around the folder has commits of something else.
 */
export function commitOf(folder: string, named = process.env.GIT_COMMIT): string | undefined {
  if (named !== undefined && COMMIT.test(named)) return named.slice(0, 7)
  if (!existsSync(join(folder, '.git'))) return undefined
  const describe = ['describe', '--always', '--dirty', '--abbrev=7', '--exclude=*']
  const { stdout } = spawnSync('git', describe, { cwd: folder, encoding: 'utf8' })
  return COMMIT.test(stdout) ? stdout.trim() : undefined
}

/**
 * The entry points, by their paths from the root, keep their paths in the folder. Without a commit
 * the same sources make the same files.
 */
export async function bundle(
  entryPoints: readonly string[],
  folder: string,
  commit?: string,
): Promise<void> {
  await build({
    entryPoints: entryPoints.map((path) => join(ROOT, path)),
    outdir: folder,
    outbase: ROOT,
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    external: APART,
    plugins: [LOADED_LATER],
    define: commit === undefined ? {} : { BUILT_FROM_COMMIT: JSON.stringify(commit) },
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
  await bundle(['src/main.ts'], folder, commitOf(ROOT))
}
