// Benchmarks measure the code that runs in production: the built code, never older than its
// sources.

import { execFileSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { BUILT, ROOT } from './root.ts'

/** The build itself makes the client in src/generated from the schema. */
const SOURCES = ['src', 'workers', 'prisma', 'build.ts', 'package-lock.json'] as const
const GENERATED = join(ROOT, 'src', 'generated')

export function buildIfStale(): void {
  const newest = Math.max(...SOURCES.map((name) => newestIn(join(ROOT, name))))
  if (newest <= changedAt(BUILT)) return
  process.stderr.write('building …\n')
  // Standard output is reserved for the figures.
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: ROOT, stdio: ['ignore', 2, 2] })
}

function newestIn(path: string): number {
  if (path === GENERATED) return 0
  if (!statSync(path).isDirectory()) return changedAt(path)
  return Math.max(0, ...readdirSync(path).map((name) => newestIn(join(path, name))))
}

function changedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
