// The same request as a program in three languages.

import { JSON_MEDIA } from './document.ts'
import { exampleRequest } from './example-of.ts'
import type { OperationEntry, Outline } from './outline.ts'

export const SAMPLE_LANGUAGES = [
  ['curl', 'curl'],
  ['javascript', 'JavaScript'],
  ['python', 'Python'],
] as const

export type SampleLanguage = (typeof SAMPLE_LANGUAGES)[number][0]

interface ExampleCall {
  readonly method: string
  readonly url: string
  readonly isKeyed: boolean
  /** Headers with fixed values. */
  readonly headers: readonly (readonly [string, string])[]
  readonly body: unknown
  readonly returnsJson: boolean
}

export function samplesOf(
  outline: Outline,
  entry: OperationEntry,
): Readonly<Record<SampleLanguage, string>> {
  const call = exampleCall(outline, entry)
  return { curl: curlOf(call), javascript: javascriptOf(call), python: pythonOf(call) }
}

function exampleCall({ document, address }: Outline, entry: OperationEntry): ExampleCall {
  const { method, path, operation } = entry
  const { target, body } = exampleRequest(document, path, operation)
  const isOnce = operation.parameters?.some(({ name }) => name === 'idempotency-key') ?? false
  const words = path.split('/').filter((part) => part !== '' && !part.startsWith('{'))
  return {
    method,
    url: `${address}${target}`,
    isKeyed: operation.security.length > 0,
    headers: [
      ...(body === undefined ? [] : [['Content-Type', JSON_MEDIA] as const]),
      ...(isOnce ? [['Idempotency-Key', `${words.at(-1)}-1`] as const] : []),
    ],
    body,
    returnsJson: operation.responses[200]?.content?.[JSON_MEDIA] !== undefined,
  }
}

function curlOf({ method, url, isKeyed, headers, body }: ExampleCall): string {
  const verb = method === 'GET' ? '' : `-X ${method} `
  return [
    `curl ${verb}${quotedForShell(url)}`,
    ...(isKeyed ? ['-H "Authorization: Bearer $KEY"'] : []),
    ...headers.map(([name, value]) => `-H '${name}: ${value}'`),
    ...(body === undefined ? [] : [`-d ${quotedForShell(JSON.stringify(body, null, 2))}`]),
  ].join(' \\\n  ')
}

function quotedForShell(text: string): string {
  return /^[\w:/.-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}

function javascriptOf({ method, url, isKeyed, headers, body, returnsJson }: ExampleCall): string {
  const fields = [
    ...(isKeyed ? [`Authorization: \`Bearer \${env.KEY}\``] : []),
    ...headers.map(([name, value]) => `'${name}': '${value}'`),
  ]
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(fields.length === 0
      ? []
      : ['  headers: {', ...fields.map((field) => `    ${field},`), '  },']),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${literal(JAVASCRIPT, body, '  ')}),`]),
  ]
  const read = returnsJson ? 'json' : 'text'
  return [
    ...(isKeyed ? ["import { env } from 'node:process'", ''] : []),
    ...(options.length === 0
      ? [`const response = await fetch('${url}')`]
      : [`const response = await fetch('${url}', {`, ...options, '})']),
    `console.log(response.status, await response.${read}())`,
  ].join('\n')
}

function pythonOf({ method, url, isKeyed, headers, body, returnsJson }: ExampleCall): string {
  // `json=` sends the Content-Type by itself.
  const own = headers.filter(([name]) => name !== 'Content-Type')
  const fields = [
    ...(isKeyed ? [`'Authorization': f"Bearer {os.environ['KEY']}"`] : []),
    ...own.map(([name, value]) => `'${name}': '${value}'`),
  ]
  const given = [
    `    '${url}',`,
    ...(fields.length === 0
      ? []
      : ['    headers={', ...fields.map((field) => `        ${field},`), '    },']),
    ...(body === undefined ? [] : [`    json=${literal(PYTHON, body, '    ')},`]),
  ]
  return [
    ...(isKeyed ? ['import os', ''] : []),
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    ...given,
    ')',
    `print(response.status_code, response.${returnsJson ? 'json()' : 'text'})`,
  ].join('\n')
}

interface Syntax {
  readonly indent: string
  readonly words: Readonly<Record<string, string>>
  readonly nameOf: (name: string) => string
}

const JAVASCRIPT: Syntax = {
  indent: '  ',
  words: { true: 'true', false: 'false', null: 'null' },
  nameOf: (name) => (/^[a-z_]\w*$/i.test(name) ? name : quoted(name)),
}

const PYTHON: Syntax = {
  indent: '    ',
  words: { true: 'True', false: 'False', null: 'None' },
  nameOf: quoted,
}

/** A JSON value as an expression, whose first line continues a line that begins with `before`. */
function literal(syntax: Syntax, value: unknown, before: string): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value !== 'object' || value === null) {
    return syntax.words[String(value)] ?? String(value)
  }
  const inside = `${before}${syntax.indent}`
  const isList = Array.isArray(value)
  const parts = Object.entries(value).map(([name, part]) => {
    const text = literal(syntax, part, inside)
    return isList ? text : `${syntax.nameOf(name)}: ${text}`
  })
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  if (parts.length === 0) return `${open}${close}`
  return `${open}\n${parts.map((part) => `${inside}${part},\n`).join('')}${before}${close}`
}

/** The escapes of JSON are those of both languages. */
function quoted(text: string): string {
  const inside = JSON.stringify(text).slice(1, -1)
  return `'${inside.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}
