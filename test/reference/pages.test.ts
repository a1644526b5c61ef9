// The reference at /docs: it shows the whole document, its programs work as described, and a
// browser loads a page once.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERROR_CATALOGUE } from '../../src/core/errors.ts'
import { slugOf } from '../../src/reference/outline.ts'
import {
  type Document,
  documentOf,
  type Named,
  operationsOf,
  refusalsOf,
} from '../support/document.ts'
import { call, openTestService, type TestService } from '../support/test-service.ts'

const MOST_BYTES = 120_000

const run = promisify(execFile)

let service: TestService
let document: Document
let pages: ReadonlyMap<string, string>

beforeAll(async () => {
  service = await openTestService({
    queues: [],
    settings: { PUBLIC_URL: 'https://pay.example.com' },
  })
  await service.app.ready()
  document = documentOf(service.app)
  const paths = ['/docs', ...document.tags.map(({ name }) => pathOf(name))]
  pages = new Map(await Promise.all(paths.map(async (path) => [path, await read(path)] as const)))
})
afterAll(() => service.close())

const pathOf = (tag: string) => `/docs/${tag.toLowerCase().replaceAll(' ', '-')}`

const get = (url: string, headers = {}) =>
  call(service.app, 'GET', url, { accept: 'text/html', ...headers })

async function read(path: string): Promise<string> {
  const { status, text } = await get(path)
  expect([path, status]).toEqual([path, 200])
  return text
}

/** The part of a page that shows the operation. */
function shownOf({ method, path, operation }: Named): string {
  const page = pages.get(pathOf(operation.tags?.[0] ?? '')) ?? ''
  const id = slugOf(`${method} ${path}`)
  const [, part = ''] = page.split(`<section class="operation" aria-labelledby="${id}">`)
  return part.slice(0, part.indexOf('</section>'))
}

/** The text without its markup, as a reader sees it. */
function plain(html: string): string {
  return html
    .replace(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
}

interface Form {
  readonly properties?: object
  readonly anyOf?: readonly Form[]
}

function programsIn(html: string): Readonly<Record<string, string>> {
  const figures = html.matchAll(/<figure class="(\w+)">.*?<code>(.*?)<\/code><\/pre>/gs)
  return Object.fromEntries([...figures].map(([, name, code = '']) => [name, plain(code)]))
}

/** The request of the example in the document. */
function sentOf({ method, path, operation }: Named) {
  const { security, parameters = [], requestBody } = operation
  const media = requestBody?.content['application/json']
  const isOnce = parameters.some(({ name }) => name === 'idempotency-key')
  const inPath = parameters.filter((one) => one.in === 'path')
  const url = inPath.reduce((text, { name, schema }) => {
    const [example] = schema.examples as readonly string[]
    return text.replace(`{${name}}`, String(example))
  }, `https://pay.example.com${path}`)
  return {
    method,
    url,
    headers: [
      ...(security.length === 0 ? [] : ['authorization']),
      ...(media === undefined ? [] : ['content-type']),
      ...(isOnce ? ['idempotency-key'] : []),
    ].sort(),
    body: media?.example,
  }
}

describe('the pages', () => {
  it('show every operation: its fields, parameters, answers and errors', () => {
    for (const named of operationsOf(document)) {
      const { route, operation } = named
      const text = plain(shownOf(named))
      expect(text, route).toContain(operation.summary)
      expect(text, route).toContain(named.path)
      const body = (operation.requestBody?.content['application/json']?.schema ?? {}) as Form
      const names = [
        ...(operation.parameters ?? []).map(({ name }) => name),
        ...[body, ...(body.anyOf ?? [])].flatMap(({ properties = {} }) => Object.keys(properties)),
        ...refusalsOf(operation).map((refusal) => refusal.split(' ')[1] ?? ''),
        ...Object.keys(operation.responses).filter((status) => status.startsWith('2')),
      ]
      for (const name of names) expect(text, route).toContain(name)
    }
  })

  it('show every shared object once, with its fields', () => {
    const all = [...pages.values()].join('')
    for (const [name, { properties = {} }] of Object.entries(document.components.schemas)) {
      const parts = all.split(`>${name} object</a></h2>`)
      expect([name, parts.length]).toEqual([name, 2])
      const text = plain(parts[1]?.slice(0, parts[1].indexOf('</section>')) ?? '')
      for (const field of Object.keys(properties as object)) expect(text).toContain(field)
    }
  })

  it('explain every error at an address of its own', () => {
    for (const [code, { remedy }] of Object.entries(ERROR_CATALOGUE)) {
      expect(pages.get('/docs')).toContain(`id="error-${code}"`)
      expect(plain(pages.get('/docs') ?? '')).toContain(remedy.replaceAll('`', ''))
    }
  })

  it('link only to existing anchors, and have none twice', () => {
    for (const [path, html] of pages) {
      const ids = idsIn(html)
      expect([path, ids.filter((id, i) => ids.indexOf(id) !== i)]).toEqual([path, []])
      const hrefs = [...html.matchAll(/href="(\/docs[^"]*|#[^"]*)"/g)].map(([, href = '']) => href)
      const dead = hrefs.filter((href) => {
        const [page = '', id] = href.split('#')
        const target = pages.get(page === '' ? path : page)
        return target === undefined || (id !== undefined && !idsIn(target).includes(id))
      })
      expect([path, dead]).toEqual([path, []])
    }
  })

  it('need no more than 120 kB each, no inline script or style, and nothing from elsewhere', () => {
    for (const [path, html] of pages) {
      expect(Buffer.byteLength(html), path).toBeLessThan(MOST_BYTES)
      expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son[a-z]+=/)
      expect(html).not.toMatch(/(src|href)="(https?:)?\/\//)
    }
  })
})

function idsIn(html: string): readonly string[] {
  return [...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)
}

describe('an example', () => {
  it('of an answer is JSON that its schema allows', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false })
    formats.default(ajv)
    ajv.addSchema({ ...document, $id: 'document' })
    const shown = operationsOf(document).filter((named) => {
      const { json } = programsIn(shownOf(named))
      if (json === undefined) return false
      const verb = named.method.toLowerCase()
      const place = ['paths', named.path, verb, 'responses', '200', 'content', 'application/json']
      const keys = [...place, 'schema'].map((key) =>
        encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1')),
      )
      const validate = ajv.compile({ $ref: `document#/${keys.join('/')}` })
      const fits = validate(JSON.parse(json))
      expect([named.route, fits ? [] : validate.errors]).toEqual([named.route, []])
      return true
    })
    expect(shown.length).toBeGreaterThan(40)
  })

  it('of a shared answer is linked', () => {
    const lacking = operationsOf(document).filter((named) => {
      const html = shownOf(named)
      const isJson = named.operation.responses[200]?.content?.['application/json'] !== undefined
      return isJson && !html.includes('<figure class="json">') && !html.includes('is like that of')
    })
    expect(lacking.map(({ route }) => route)).toEqual([])
  })

  it('in JavaScript sends the documented request', async () => {
    for (const named of operationsOf(document)) {
      const { javascript = '' } = programsIn(shownOf(named))
      expect(await sentByJavaScript(javascript), named.route).toMatchObject(expectedOf(named))
    }
  })

  it('for curl sends the same', async () => {
    const all = operationsOf(document)
    const programs = all.map((named) => programsIn(shownOf(named)).curl)
    const answer = 'curl() { for one; do printf "%s\\036" "$one"; done; printf "\\035"; }'
    const { stdout } = await run('sh', ['-c', [answer, 'KEY=sk', ...programs].join('\n')])
    const calls = stdout.split('\x1d').slice(0, -1)
    expect(calls).toHaveLength(all.length)
    for (const [i, named] of all.entries()) {
      const parts = calls[i]?.split('\x1e').slice(0, -1) ?? []
      expect(sentByCurl(parts), named.route).toMatchObject(expectedOf(named))
    }
  })

  it('in Python names the address, and leaves no word of JSON', () => {
    for (const named of operationsOf(document)) {
      const { python = '' } = programsIn(shownOf(named))
      expect(python).toContain(`requests.${named.method.toLowerCase()}(`)
      expect(python).toContain(sentOf(named).url)
      expect(python).not.toMatch(/\b(true|false|null)\b/)
    }
  })
})

function expectedOf(named: Named) {
  const { url, ...sent } = sentOf(named)
  const isList = named.operation.parameters?.some(({ name }) => name === 'limit') ?? false
  return { ...sent, url: isList ? `${url}?limit=50` : url }
}

async function sentByJavaScript(program: string) {
  const calls: object[] = []
  const fetch = async (url: string, { method = 'GET', headers = {}, body }: RequestInit = {}) => {
    const names = Object.keys(headers).map((name) => name.toLowerCase())
    const sent = body === undefined ? undefined : JSON.parse(String(body))
    calls.push({ method, url, headers: names.sort(), body: sent })
    return new Response('{}')
  }
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor
  const quiet = { log: () => {} }
  const body = program.replace("import { env } from 'node:process'\n", '')
  await new AsyncFunction('fetch', 'env', 'console', body)(fetch, { KEY: 'sk' }, quiet)
  expect(calls).toHaveLength(1)
  return calls[0]
}

function sentByCurl(parts: readonly string[]) {
  const after = (flag: string) => parts.flatMap((part, i) => (parts[i - 1] === flag ? [part] : []))
  const [body] = after('-d')
  const headers = after('-H').map((line) => line.slice(0, line.indexOf(':')).toLowerCase())
  return {
    method: after('-X')[0] ?? 'GET',
    url: parts.find((part) => part.startsWith('https:')),
    headers: headers.sort(),
    body: body === undefined ? undefined : JSON.parse(body),
  }
}

describe('the address', () => {
  it('answers 304 to a browser that has the page, for any form of its ETag', async () => {
    const { headers } = await get('/docs/payments')
    expect(headers['cache-control']).toBe('no-cache')
    const etag = String(headers.etag)
    expect(etag).toMatch(/^"[\w-]{22}"$/)
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const answer = await get('/docs/payments', { 'if-none-match': known })
      expect([known, answer.status, answer.text]).toEqual([known, 304, ''])
      expect(answer.headers).toMatchObject({ etag, 'cache-control': 'no-cache' })
    }
    const other = await get('/docs/customers', { 'if-none-match': etag })
    expect([other.status, other.headers.etag === etag]).toEqual([200, false])
  })

  it('without a page is a page for a browser, and an API error for a script', async () => {
    const page = await get('/docs/nowhere')
    expect([page.status, page.text]).toEqual([404, expect.stringContaining('There is no page')])
    expect(page.headers['cache-control']).toBe('no-store')
    const script = await call(service.app, 'GET', '/docs/nowhere', { accept: '*/*' })
    expect([script.status, script.body.error]).toEqual([404, 'not_found'])
    const change = await call(service.app, 'POST', '/docs/payments', {})
    expect([change.status, change.body.error]).toEqual([405, 'method_not_allowed'])
  })

  it('of the document is the same as in earlier versions', async () => {
    const { status, body } = await call(service.app, 'GET', '/docs/json', {})
    expect([status, body]).toEqual([200, document])
  })
})
