// Which failures of the suite are run once more.

import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import type { SerializedError, TestModule } from 'vitest/node'
import { LateFiles } from './support/late-files.ts'

/** What a run writes whose tests failed with these errors, one in each file. */
async function written(...errors: readonly SerializedError[]): Promise<string | undefined> {
  const path = join(await mkdtemp(join(tmpdir(), 'late-')), 'late')
  const modules = errors.map((error, n) => ({
    moduleId: `${n}.test.ts`,
    state: () => 'failed',
    errors: () => [],
    children: { allSuites: () => [], allTests: () => [{ result: () => ({ errors: [error] }) }] },
  }))
  vi.spyOn(console, 'log').mockReturnValue()
  new LateFiles(path).onTestRunEnd(modules as unknown as TestModule[], [])
  vi.restoreAllMocks()
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

const LATE = { message: 'expected 542.5988349999825 to be less than 500' }

it.each<[string, SerializedError]>([
  ['a measured time', LATE],
  ['a test', { message: 'Test timed out in 60000ms.' }],
  ['a poll', { message: 'expected 1', cause: { message: 'Matcher did not succeed in time.' } }],
  ['a browser', { message: 'locator.click: Timeout 20000ms exceeded.' }],
])('%s that missed its limit is', async (_what, error) => {
  expect(await written(error)).toBe('0.test.ts\n')
})

it.each([
  ['another value', 'expected 1 to be 2 // Object.is equality'],
  ['a sum above what was captured', 'expected 1500 to be less than or equal to 1000'],
  ['a count below the least', 'expected 3 to be greater than 100'],
])('%s is not, nor what was late beside it', async (_what, message) => {
  expect(await written({ message })).toBeUndefined()
  expect(await written(LATE, { message })).toBeUndefined()
})

it('more than five files are not', async () => {
  expect(await written(...Array<SerializedError>(6).fill(LATE))).toBeUndefined()
})
