// Processes that tests start are built once for a run, as the product is: each starts in half a
// second, while compiling it at its start takes three. Their types are checked elsewhere.

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { bundle } from '../../build.ts'

const ROOT = join(import.meta.dirname, '..', '..')

/** The processes of the run inherit it; without it each is compiled as it starts. */
const FOLDER = 'LAMPLIGHTER_BUILT'

const PROCESSES = [
  'src/main.ts',
  'test/chaos/child.ts',
  'test/chaos/wrong-clock.ts',
  'test/cli/ends-child.ts',
  'test/db/embedded-child.ts',
  'test/hostile/probe-child.ts',
  'test/hostile/service-child.ts',
  'test/support/delivery-child.ts',
  'test/support/recurrence-child.ts',
  'test/log/throwing-child.ts',
]

/** Builds them; answers how to remove the files. */
export async function buildProcesses(): Promise<() => void> {
  const folder = join(ROOT, 'dist', `run-${process.pid}`)
  await bundle(PROCESSES, folder)
  process.env[FOLDER] = folder
  return () => {
    delete process.env[FOLDER]
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * The arguments of Node for a file, with a preload before it; paths are from the project's root.
 */
export function processOf(path: string, preload?: string): readonly string[] {
  const folder = process.env[FOLDER]
  const preloads = preload === undefined ? [] : ['--import', pathTo(preload, folder)]
  if (folder === undefined) return ['--import', 'tsx', ...preloads, pathTo(path, folder)]
  return [...preloads, pathTo(path, folder)]
}

function pathTo(path: string, folder: string | undefined): string {
  return folder === undefined ? join(ROOT, path) : join(folder, path.replace(/\.ts$/, '.js'))
}
