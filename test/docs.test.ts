// The statements of docs/ about other files are true.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { buildProgram } from '../src/cli/program.ts'
import { ROUTES } from './support/route-table.ts'

const ROOT = join(import.meta.dirname, '..')

/** A test file in a cell of the table. */
const TEST_FILE = /`([\w/-]+\.test\.ts)`/g

/** A link within the project; not one to another site, nor within its page. */
const LINK = /\]\((?!https?:|#)([^)#]+)/g

/** A command in a code span, with or without the program's name, and the word after it. */
const COMMAND = /`(lamplighter )?([a-z][a-z-]*)(?: ([a-z][a-z-]*)(?![\w=-]))?[^`\n]*`/g

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

describe('the commands that the pages name', () => {
  const groups = new Map(
    buildProgram().commands.map((command) => [
      command.name(),
      command.commands.map((sub) => sub.name()),
    ]),
  )
  const pages = ['README.md', ...readdirSync(join(ROOT, 'docs')).map(inDocs)]
  const spans = pages
    .filter((page) => page.endsWith('.md'))
    .flatMap((page) => [...readFileSync(join(ROOT, page), 'utf8').matchAll(COMMAND)])
    .filter(([, prefix, name = '']) => prefix !== undefined || groups.has(name))

  it('exist', () => {
    expect(spans.length).toBeGreaterThan(40)
    const wrong = spans.filter(([, , name = '', next]) => {
      const subs = groups.get(name)
      return subs === undefined || (subs.length > 0 && next !== undefined && !subs.includes(next))
    })
    expect(wrong.map(([span]) => span)).toEqual([])
  })
})

/** `NODE_ENV=production` would leave them out, and `prepare` could not build. */
it('installs the tools that build, where it says how to install on servers', () => {
  const { scripts, devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  expect(scripts).toMatchObject({ prepare: 'npm run build', build: expect.stringContaining('tsx') })
  expect(devDependencies).toHaveProperty('tsx')
  const parts = [
    ['README.md', /servers of your own.*?```sh\n(.*?)```/s],
    ['docs/operating.md', /^Elsewhere: (.*)$/m],
    ['docs/operating.md', /^\| on servers of yours (.*)$/m],
  ] as const
  for (const [page, part] of parts) {
    const [, text = ''] = part.exec(readFileSync(join(ROOT, page), 'utf8')) ?? []
    expect(text).toContain('npm ci --include=dev')
  }
})

describe('the page for clients of another API', () => {
  const page = readFileSync(join(ROOT, 'docs/coming-from-stax.md'), 'utf8')
  const rows = [...page.matchAll(/^\| (.+?) \| (works|differs|not here) \|/gm)]
  const operations = rows.flatMap(([, cell = '', verdict = '']) =>
    operationsIn(cell).map((operation) => ({ operation, verdict })),
  )
  const has = (operation: string) => operation in ROUTES

  it('says that an operation works exactly if it exists', () => {
    expect(operations.length).toBeGreaterThan(120)
    const wrong = operations.filter(({ operation, verdict }) => {
      return has(operation) !== (verdict !== 'not here')
    })
    expect(wrong).toEqual([])
  })
})

/** `GET, PUT `/a`, `/b`; POST `/c`` are five operations. */
function operationsIn(cell: string): readonly string[] {
  return cell.split('; ').flatMap((group) => {
    const paths = [...group.matchAll(/`(\/[^`]+)`/g)].map(([, path = '']) => path)
    const methods = group.match(/\b(GET|POST|PUT|DELETE)\b/g) ?? []
    return methods.flatMap((method) => paths.map((path) => `${method} ${path}`))
  })
}

/** The folder directly under test/, or the file itself. */
function subjectOf(file: string): string {
  return file.split('/')[0] ?? file
}

function inDocs(name: string): string {
  return join('docs', name)
}
