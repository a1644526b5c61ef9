// What docs/ says of other files is true of them.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')

/** A test file in a cell of the table. */
const TEST_FILE = /`([\w/-]+\.test\.ts)`/g

/** A link within the project; not one to elsewhere, nor within its page. */
const LINK = /\]\((?!https?:|#)([^)#]+)/g

describe('the page of what is covered', () => {
  const lines = readFileSync(join(ROOT, 'docs/coverage.md'), 'utf8').split('\n')
  const promises = lines.filter((line) => line.startsWith('| **'))
  const filesOf = (text: string) => [...text.matchAll(TEST_FILE)].map(([, file = '']) => file)
  const named = filesOf(promises.join('\n'))

  it('names test files that exist, at least one for each promise', () => {
    expect(promises.length).toBeGreaterThan(25)
    expect(promises.filter((promise) => filesOf(promise).length === 0)).toEqual([])
    expect(named.filter((file) => !existsSync(join(ROOT, 'test', file)))).toEqual([])
  })

  it('names every folder of tests', () => {
    const files = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    const subjects = files.filter((file) => file.endsWith('.test.ts')).map(subjectOf)
    expect(new Set(subjects).size).toBeGreaterThan(20)
    expect([...new Set(named.map(subjectOf))].sort()).toEqual([...new Set(subjects)].sort())
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

/** The folder directly under test/, or the file itself. */
function subjectOf(file: string): string {
  return file.split('/')[0] ?? file
}

function inDocs(name: string): string {
  return join('docs', name)
}
