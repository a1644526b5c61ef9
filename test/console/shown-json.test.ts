// JSON on the console: indented, but not where that would make megabytes of spaces.

import { expect, it } from 'vitest'
import { shownJson } from '../../src/console/parts/shown-json.ts'

it.each([
  {},
  [],
  { a: 1, b: ['x', { c: null }], d: 'a "quoted, [bracket]" \\ and more' },
  { meta: { deep: [[[[1]]]] } },
])('%j is indented', (value) => {
  expect(shownJson(value)).toBe(JSON.stringify(value, null, 2))
})

it('a value of 16 KiB in hundreds of lists is as long as it was sent', () => {
  const inner = Array.from({ length: 7_000 }, () => 1).join()
  const deep = JSON.parse(`${'['.repeat(490)}${inner}${']'.repeat(490)}`)
  const story = Array.from({ length: 100 }, () => shownJson(deep))
  expect(story.join('').length).toBeLessThan(100 * 16 * 1024)
  expect(JSON.stringify(deep, null, 2).length).toBeGreaterThan(1024 * 1024)
})

it('many short lines are indented up to a size', () => {
  const lines = (count: number) => ({ list: Array.from({ length: count }, (_, n) => n % 10) })
  expect(shownJson(lines(1_000))).toContain('\n')
  expect(shownJson(lines(10_000))).not.toContain('\n')
})
