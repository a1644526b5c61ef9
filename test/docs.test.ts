// What docs/ says of other files is true of them.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')

/** A test file in a cell of the table, with the titles that follow it. */
const NAMED = /`([\w/-]+\.test\.ts)`((?:\s*“[^”]+”)*)/g

const TITLE = /“([^”]+)”/g

/** A link within the project; not one to elsewhere, nor within its page. */
const LINK = /\]\((?!https?:|#)([^)#]+)/g

const rows = readFileSync(join(ROOT, 'docs/coverage.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| (?!Said)/.test(line))

const claims = [...rows.join('\n').matchAll(NAMED)].map(([, file = '', titles = '']) => ({
  file: join('test', file),
  titles: [...titles.matchAll(TITLE)].map(([, title = '']) => title),
}))

describe('the page of what is covered', () => {
  it('names tests that are there', () => {
    const missing = claims.flatMap(({ file, titles }) => {
      const path = join(ROOT, file)
      const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
      if (titles.length === 0) return [`${file}: no title`]
      return titles.filter((title) => !isTitleIn(text, title)).map((title) => `${file}: ${title}`)
    })
    expect(claims.length).toBeGreaterThan(50)
    expect(missing).toEqual([])
  })

  it('names every test file', () => {
    const files = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    const tests = files.filter((file) => file.endsWith('.test.ts')).map(inTest)
    const named = claims.map(({ file }) => file)
    expect(tests.length).toBeGreaterThan(100)
    expect(tests.filter((file) => !named.includes(file))).toEqual([])
  })

  it('shows a test for every sentence, or says that there is none yet', () => {
    const silent = rows.filter((row) => !/not yet|`[\w/-]+\.test\.ts` “/.test(row))
    expect(rows.length).toBeGreaterThan(50)
    expect(silent).toEqual([])
  })

  it('would be found out to name another test, as a control', () => {
    expect(isTitleIn("it('is what it is', () => {", 'is what it is')).toBe(true)
    expect(isTitleIn("it('is what it is', () => {", 'is what')).toBe(false)
  })
})

describe('the pages', () => {
  const pages = ['README.md', 'CHANGELOG.md', ...readdirSync(join(ROOT, 'docs')).map(inDocs)]

  it.each(pages.filter((page) => page.endsWith('.md')))(
    '%s leads only to what is there',
    (page) => {
      const links = [...readFileSync(join(ROOT, page), 'utf8').matchAll(LINK)]
      const dead = links.filter(([, to = '']) => !existsSync(join(ROOT, dirname(page), to)))
      expect(dead.map(([link]) => link)).toEqual([])
    },
  )
})

/** As it stands in the file, between its quotes. */
function isTitleIn(text: string, title: string): boolean {
  return [`'${title}'`, `"${title}"`, `\`${title}\``].some((quoted) => text.includes(quoted))
}

function inTest(name: string): string {
  return join('test', name)
}

function inDocs(name: string): string {
  return join('docs', name)
}
