// A trace of a built process, whose code is in a few large files, leads to the sources.

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { processOf } from '../support/built.ts'

const CHILD = 'test/log/throwing-child.ts'

it('a stack trace names the files and lines of the sources', () => {
  const { stderr } = spawnSync(process.execPath, processOf(CHILD), { encoding: 'utf8' })
  const path = join(import.meta.dirname, '..', '..', CHILD)
  const trace = stderr.slice(stderr.indexOf('TypeError:'))
  expect(trace.split('\n').slice(0, 3)).toEqual([
    'TypeError: thrown by the child',
    `    at inner (${path}:12:9)`,
    `    at outer (${path}:16:3)`,
  ])
})
