// The rules that a machine can check: which folder may import which, and where some things may be
// used.

import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

// Matches `import … from 'x'`, `export … from 'x'` and `import('x')`.
const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s+(type\s)?[^'"`;]*?from\s+['"]([^'"]+)['"]|import\(['"]([^'"]+)['"]\)/g

/** A string or a pattern on a line of its own. */
const LONE_TEXT = /^\s*(\w+: )?(['"`/]).*\2[+,;)\w ]*$/

const ROOT = join(import.meta.dirname, '..')

interface SourceFile {
  readonly path: string
  readonly text: string
  /** Paths from the root, or the names of packages. */
  readonly imports: readonly Import[]
}

interface Import {
  readonly target: string
  readonly isTypeOnly: boolean
}

const files = ['src', 'workers'].flatMap(sourcesIn)

/** The lowest folders: a folder may import those before it in this list, never those after it. */
const LOWEST = ['src/core', 'src/config', 'src/log', 'src/package', 'src/timings']
const STORES = ['src/db', 'src/queue', 'src/outside', 'src/limits', 'src/telemetry']
/** Accounts, their events and deliveries, and earlier requests. */
const ACCOUNTS = ['src/accounts', 'src/events', 'src/idempotency', 'src/deliveries']
/** Customers and the links through which they pay. */
const PAYERS = [...ACCOUNTS, 'src/customers', 'src/links']
const PAYMENTS = [...PAYERS, 'src/invoices', 'src/payments']
const VERBS = [
  ...PAYMENTS,
  'src/items',
  'src/messages',
  'src/webhooks',
  'src/settlement',
  'src/schedules',
  'src/sandbox-clock',
  'src/operators',
]

/**
 * The folders that each folder may import. An unlisted folder may be imported by none, and fails
 * the first test.
 */
const MAY_KNOW: Readonly<Record<string, readonly string[]>> = {
  'src/core': [],
  'src/config': ['src/core'],
  'src/log': ['src/config', 'src/core'],
  'src/timings': ['src/core'],
  'src/package': [],
  'src/telemetry': ['src/core'],
  'src/outside': ['src/core', 'src/db'],
  'src/db': ['src/core', 'src/generated', 'src/package'],
  'src/queue': [...LOWEST, 'src/db', 'src/outside'],
  'src/limits': ['src/config', 'src/core', 'src/db', 'src/outside', 'src/queue'],
  'src/world': [...LOWEST, ...STORES],
  'src/accounts': ['src/core', 'src/db', 'src/generated', 'src/world'],
  'src/resource': ['src/core', 'src/generated'],
  'src/customers': [
    'src/accounts',
    'src/core',
    'src/db',
    'src/events',
    'src/generated',
    'src/idempotency',
    'src/outside',
    'src/resource',
    'src/world',
  ],
  'src/events': ['src/core', 'src/db', 'src/generated', 'src/world'],
  'src/idempotency': ['src/core', 'src/db', 'src/generated', 'src/world'],
  'src/deliveries': ['src/core', 'src/db', 'src/generated', 'src/resource', 'src/world'],
  'src/links': [
    'src/accounts',
    'src/core',
    'src/db',
    'src/events',
    'src/generated',
    'src/idempotency',
    'src/resource',
    'src/world',
  ],
  'src/items': [
    'src/accounts',
    'src/core',
    'src/db',
    'src/generated',
    'src/idempotency',
    'src/resource',
    'src/world',
  ],
  'src/invoices': ['src/core', 'src/db', 'src/generated', 'src/resource', 'src/world', ...PAYERS],
  'src/payments': [
    'src/core',
    'src/db',
    'src/generated',
    'src/outside',
    'src/resource',
    'src/world',
    ...PAYMENTS,
  ],
  'src/messages': ['src/core', 'src/db', 'src/generated', 'src/outside', 'src/world', ...PAYMENTS],
  'src/webhooks': [
    'src/core',
    'src/db',
    'src/generated',
    'src/outside',
    'src/resource',
    'src/world',
    ...ACCOUNTS,
  ],
  'src/settlement': [
    'src/core',
    'src/db',
    'src/generated',
    'src/outside',
    'src/queue',
    'src/resource',
    'src/world',
    ...PAYMENTS,
  ],
  'src/schedules': [
    'src/core',
    'src/db',
    'src/generated',
    'src/resource',
    'src/world',
    ...PAYMENTS,
  ],
  'src/sandbox-clock': [
    'src/core',
    'src/db',
    'src/world',
    ...PAYMENTS,
    'src/settlement',
    'src/schedules',
  ],
  'src/operators': ['src/core', 'src/db', 'src/generated', 'src/world', ...PAYMENTS],
  'src/upkeep': [
    'src/core',
    'src/db',
    'src/generated',
    'src/queue',
    'src/package',
    'src/telemetry',
    'src/world',
    ...VERBS,
  ],
  'src/doctor': ['src/core', 'src/db', 'src/generated', 'src/queue', 'src/upkeep', 'src/world'],
  'src/web': ['src/core', 'src/package'],
  'src/pages': [
    'src/core',
    'src/db',
    'src/generated',
    'src/limits',
    'src/outside',
    'src/web',
    'src/world',
    ...VERBS,
  ],
  'src/console': [
    'src/core',
    'src/db',
    'src/generated',
    'src/limits',
    'src/queue',
    'src/web',
    'src/world',
    'src/upkeep',
    ...VERBS,
  ],
  'src/reference': ['src/core', 'src/web', 'src/world'],
  'src/http': [
    'src/core',
    'src/db',
    'src/limits',
    'src/package',
    'src/queue',
    'src/resource',
    'src/telemetry',
    'src/web',
    'src/world',
    'src/upkeep',
    'src/pages',
    'src/console',
    'src/reference',
    ...VERBS,
  ],
  'src/cli': ['src', 'workers'],
  'src/main': ['src/cli', 'src/log', 'src/package'],
  workers: ['src/core', 'src/queue', 'src/telemetry', 'src/world', 'src/upkeep', ...VERBS],
}

describe('the folders', () => {
  it('import only those that they may import', () => {
    const wrong = files.flatMap((file) =>
      localImports(file)
        .filter(({ target }) => !mayKnow(file.path, target))
        .map(({ target }) => `${file.path} knows ${target}`),
    )
    expect(wrong).toEqual([])
  })

  it('do import each other, as a control', () => {
    expect(files.flatMap(localImports).length).toBeGreaterThan(100)
  })

  it('are all in the table', () => {
    expect([...new Set(files.map(({ path }) => folderOf(path)))].sort()).toEqual(
      Object.keys(MAY_KNOW).sort(),
    )
  })

  it('of the actions never import a vendor of src/outside, only its ports', () => {
    const wrong = filesIn(VERBS).flatMap((file) =>
      localImports(file)
        .filter(
          ({ target }) =>
            /^src\/outside\/[^/]+\//.test(target) && !/\/(feed-)?port\.ts$/.test(target),
        )
        .map(({ target }) => `${file.path} knows ${target}`),
    )
    expect(wrong).toEqual([])
  })

  it('import the rules of the queue only for workers', () => {
    const wrong = filesIn(VERBS).filter((file) =>
      localImports(file).some(
        ({ target, isTypeOnly }) => target.startsWith('src/queue/') && !isTypeOnly,
      ),
    )
    expect(wrong.map(({ path }) => path)).toEqual([])
  })
})

describe('a thing with one home', () => {
  it.each([
    ['the environment', /process\.env(?!\.TZ)/, ['src/config.ts', 'src/config/colour.ts']],
    ['the clock', /\bDate\.now\(\)|new Date\(\)/, ['src/outside/clock.ts']],
    [
      "the host's own zone",
      /\.(get|set)(FullYear|Month|Date|Day|Hours|Minutes)\(|getTimezoneOffset|\.to(Date|Time)String\(|\.toLocale(Date|Time)String\(/,
      [],
    ],
    ['reading decimals as floating numbers', /\bparseFloat\(/, []],
    [
      "the database's own clock, but to compare it with ours, or with the age of its sessions",
      /clock_timestamp\(\)|(?<![.\w])now\(\)(?!:)/i,
      ['src/db/migrate.ts', 'src/outside/clock.ts'],
    ],
  ])('%s', (_what, pattern, homes: readonly string[]) => {
    const found = files.filter(({ text }) => pattern.test(codeOf(text))).map(({ path }) => path)
    expect(found).toEqual(homes)
  })

  it.each([
    ['pg', ['src/db/']],
    ['bullmq', ['src/queue/', 'workers/run.ts']],
    ['ioredis', ['src/queue/']],
    ['rate-limiter-flexible', ['src/limits/']],
    ['fastify', ['src/http/', 'src/console/board-server.ts']],
    ['@bull-board/api', ['src/console/board']],
    ['preact-render-to-string', ['src/web/html.ts']],
    ['prom-client', ['src/telemetry/']],
    ['@opentelemetry/api', ['src/telemetry/']],
    ['card-validator', ['src/outside/gateway/sandbox/']],
    ['luxon', ['src/core/', 'src/outside/gateway/sandbox/']],
    ['commander', ['src/cli/']],
    ['uqr', ['src/links/']],
    ['@prisma/adapter-pg', ['src/db/']],
    ['nodemailer', ['src/outside/mail/']],
    ['twilio', ['src/outside/sms/']],
    ['undici', ['src/outside/endpoint/', 'src/outside/gateway/stripe/']],
    ['mrml', ['src/messages/']],
    ['mustache', ['src/messages/']],
  ])('the package %s', (name, homes) => {
    const users = files.filter(({ imports }) =>
      imports.some(({ target, isTypeOnly }) => target === name && !isTypeOnly),
    )
    expect(users.length).toBeGreaterThan(0)
    const strangers = users.filter(({ path }) => !homes.some((home) => path.startsWith(home)))
    expect(strangers.map(({ path }) => path)).toEqual([])
  })

  it('Express is used nowhere', () => {
    const { dependencies, devDependencies } = JSON.parse(
      readFileSync(join(ROOT, 'package.json'), 'utf8'),
    )
    expect(Object.keys({ ...dependencies, ...devDependencies })).not.toContain('express')
  })
})

describe('every file', () => {
  it('stays under 350 lines, and within 100 columns except for text that cannot be broken', () => {
    const long = files.filter(({ text }) => text.split('\n').length > 351).map(({ path }) => path)
    const wide = files
      .filter(({ text }) =>
        text.split('\n').some((line) => line.length > 100 && !LONE_TEXT.test(line)),
      )
      .map(({ path }) => path)
    expect({ long, wide }).toEqual({ long: [], wide: [] })
  })

  it('exports by name', () => {
    expect(
      files.filter(({ text }) => /^export default/m.test(text)).map(({ path }) => path),
    ).toEqual([])
  })
})

function sourcesIn(folder: string): SourceFile[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('generated'))
    .map((name) => {
      const path = join(folder, name)
      const text = readFileSync(join(ROOT, path), 'utf8')
      return { path, text, imports: importsOf(path, text) }
    })
}

function importsOf(path: string, text: string): Import[] {
  return [...text.matchAll(IMPORT)].map(([, typeOnly, from, dynamic]) => {
    const name = from ?? dynamic ?? ''
    const target = name.startsWith('.') ? relative(ROOT, join(ROOT, path, '..', name)) : name
    return { target, isTypeOnly: typeOnly !== undefined }
  })
}

function localImports(file: SourceFile): readonly Import[] {
  return file.imports.filter(({ target }) => /^(src|workers)\//.test(target))
}

/** The folder under src, or the file directly in it. */
function folderOf(path: string): string {
  const [first = '', second = ''] = path.split('/')
  return first === 'workers' ? first : `${first}/${second.replace(/\.tsx?$/, '')}`
}

function mayKnow(path: string, target: string): boolean {
  const folder = folderOf(path)
  const known = MAY_KNOW[folder] ?? []
  return (
    folder === folderOf(target) ||
    known.some((one) => target.startsWith(`${one}/`) || target === `${one}.ts`)
  )
}

function filesIn(folders: readonly string[]): readonly SourceFile[] {
  return files.filter(({ path }) => folders.includes(folderOf(path)))
}

/** Removes comments, which may mention forbidden code. */
function codeOf(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '')
}
