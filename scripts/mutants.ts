// Shows that the tests notice faults: makes each change of the list in a copy of the project, and
// runs the test that must fail. It takes some minutes.
//
//   npx tsx scripts/mutants.ts [part of what a change does]

import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MUTANTS, type Mutant } from './mutants/list.ts'

const ROOT = join(import.meta.dirname, '..')

/** All parts of the project that a test reads. */
const COPIED = ['src', 'workers', 'test', 'prisma', 'public', 'docs', 'bench', 'scripts']
const FILES = ['build.ts', 'package.json', 'tsconfig.json', 'vitest.config.ts', 'prisma.config.ts']

const wanted = process.argv[2] ?? ''
const copy = mkdtempSync(join(tmpdir(), 'lamplighter-mutants-'))
try {
  for (const name of [...COPIED, ...FILES]) {
    cpSync(join(ROOT, name), join(copy, name), { recursive: true })
  }
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  const mutants = MUTANTS.filter(({ what }) => what.includes(wanted))
  const broken = controls(mutants).filter((control) => !isGreen(control))
  for (const { test } of broken) console.error(`red without any change: ${test}`)
  const unnoticed = mutants.filter((mutant) => !isNoticed(mutant))
  console.log(`${mutants.length - unnoticed.length} of ${mutants.length} changes are noticed`)
  process.exitCode = broken.length + unnoticed.length === 0 ? 0 : 1
} finally {
  rmSync(copy, { recursive: true, force: true })
}

/** Each test runs once without a change: a test that fails anyway notices nothing. */
function controls(mutants: readonly Mutant[]): readonly Mutant[] {
  return [...new Map(mutants.map((mutant) => [mutant.test, mutant])).values()]
}

function isNoticed(mutant: Mutant): boolean {
  const path = join(copy, mutant.file)
  const text = readFileSync(path, 'utf8')
  writeFileSync(
    path,
    text.replace(mutant.from, () => mutant.to),
  )
  const { output } = run(mutant)
  writeFileSync(path, text)
  // A change that does not compile is noticed by no test.
  const noticed = /Tests .*\d+ failed/.test(output)
  console.log(`${noticed ? 'noticed' : 'NOT NOTICED'}: ${mutant.what} (${mutant.test})`)
  return noticed
}

function isGreen(mutant: Mutant): boolean {
  return run(mutant).status === 0
}

/** One failure is enough. */
function run({ test, project }: Pick<Mutant, 'test' | 'project'>) {
  const args = ['vitest', 'run', test, '--project', project, '--bail', '1']
  const env = { ...process.env, NO_COLOR: '1' }
  const { status, stdout } = spawnSync('npx', args, { cwd: copy, env, encoding: 'utf8' })
  return { status, output: stdout }
}
