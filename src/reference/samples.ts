// The same request as a program in three languages.

import { JSON_MEDIA, type ShownOperation, type ShownParameter } from './document.ts'
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

function exampleCall({ address }: Outline, entry: OperationEntry): ExampleCall {
  const { method, path, operation } = entry
  const body = operation.requestBody?.content[JSON_MEDIA]?.example
  const isOnce = operation.parameters?.some(({ name }) => name === 'idempotency-key') ?? false
  const words = path.split('/').filter((part) => part !== '' && !part.startsWith('{'))
  return {
    method,
    url: `${address}${exampleTarget(path, operation)}`,
    isKeyed: operation.security.length > 0,
    headers: [
      ...(body === undefined ? [] : [['Content-Type', JSON_MEDIA] as const]),
      ...(isOnce ? [['Idempotency-Key', `${words.at(-1)}-1`] as const] : []),
    ],
    body,
    returnsJson: operation.responses[200]?.content?.[JSON_MEDIA] !== undefined,
  }
}

/** The path with its query. Every parameter of a path has an example in its schema. */
function exampleTarget(path: string, { parameters = [] }: ShownOperation): string {
  const valueFor = ({ schema }: ShownParameter) => encodeURIComponent(String(schema.examples?.[0]))
  const filled = parameters
    .filter((one) => one.in === 'path')
    .reduce((text, one) => text.replace(`{${one.name}}`, valueFor(one)), path)
  const size = parameters.find((one) => one.in === 'query' && one.name === 'limit')
  return size === undefined ? filled : `${filled}?limit=${valueFor(size)}`
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
    ...(body === undefined ? [] : [`  body: JSON.stringify(${jsonText(body, 2, '  ')}),`]),
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
    ...(body === undefined ? [] : [`    json=${pythonText(body)},`]),
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

/** JSON is an expression of JavaScript too. Its lines after the first begin with `before`. */
function jsonText(value: unknown, indent: number, before: string): string {
  return JSON.stringify(value, null, indent).replaceAll('\n', `\n${before}`)
}

const PYTHON_WORDS: Readonly<Record<string, string>> = {
  true: 'True',
  false: 'False',
  null: 'None',
}

/** The same in Python, but for three words. */
function pythonText(value: unknown): string {
  const textsAndWords = /"(?:[^"\\]|\\.)*"|true|false|null/g
  return jsonText(value, 4, '    ').replace(textsAndWords, (part) => PYTHON_WORDS[part] ?? part)
}
