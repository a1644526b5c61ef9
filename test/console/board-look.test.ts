// The board has the look of the console.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { boardLook } from '../../src/console/board-look.ts'

const STYLE = join(import.meta.dirname, '../../public/base.css')

it('counts jobs by the minute and shows workers only if its store does', () => {
  const [redis, postgres] = [boardLook('redis'), boardLook('postgres')]
  expect([redis.showMetrics, postgres.showMetrics]).toEqual([true, false])
  expect([redis.showWorkers, postgres.showWorkers]).toEqual([true, false])
})

it.each([
  ['day', 'light', 0],
  ['night', 'dark', 1],
] as const)('by %s the board has the colours of the service', async (_, theme, nth) => {
  const blocks = [...(await readFile(STYLE, 'utf8')).matchAll(/:root \{([^}]*)\}/g)]
  const declared = [...(blocks[nth]?.[1] ?? '').matchAll(/--([\w-]+): ([^;]+);/g)]
  const of = Object.fromEntries(declared.map(([, name, value]) => [name, value]))
  expect(boardLook('postgres').theme?.[theme]).toMatchObject({
    background: of.paper,
    foreground: of.ink,
    card: of.card,
    'muted-foreground': of.quiet,
    border: of.line,
    primary: of['amber-ink'],
    destructive: of.bad,
    'status-completed': of.good,
    'status-delayed': of.wait,
    ...(nth === 0 ? { 'font-sans': of.sans, 'font-mono': of.mono } : {}),
  })
})
