// The list of changes that tests must notice stays true while the code changes.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { MUTANTS } from '../scripts/mutants/list.ts'

const ROOT = join(import.meta.dirname, '..')

it.each(MUTANTS)('$what: the change matches one place, and its test exists', (mutant) => {
  const { file, from, to, test } = mutant
  const places = readFileSync(join(ROOT, file), 'utf8').split(from).length - 1
  expect([places, from === to, existsSync(join(ROOT, test))]).toEqual([1, false, true])
})
