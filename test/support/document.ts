// Checks answers against the OpenAPI document.

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { expect } from 'vitest'
import type { App } from '../../src/http/app.ts'
import { type Answer, call } from './test-service.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export type Schema = Readonly<Record<string, unknown>>

export interface Parameter {
  readonly in: 'query' | 'header' | 'path'
  readonly name: string
  readonly description?: string
  readonly example?: unknown
  readonly schema: Schema
}

interface Media {
  readonly schema: Schema
  readonly example?: Readonly<Record<string, unknown>>
  readonly examples?: Readonly<Record<string, { readonly $ref?: string; readonly value?: unknown }>>
}

type Content = Readonly<Record<string, Media>>

interface Response {
  readonly description: string
  readonly headers?: Readonly<Record<string, unknown>>
  readonly content?: Content
}

export interface Operation {
  readonly summary?: string
  readonly tags?: readonly string[]
  readonly operationId?: string
  readonly security: readonly object[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, Response>>
}

export interface Document {
  readonly openapi: string
  readonly info: { readonly description: string; readonly version: string }
  readonly tags: readonly { readonly name: string }[]
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly examples: Readonly<Record<string, { readonly value: unknown }>>
  }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>
}

/** An operation under its name in the table of routes. */
export interface Named {
  readonly route: string
  readonly method: Method
  readonly path: string
  readonly operation: Operation
}

export type CheckedCall = (
  method: Method,
  url: string,
  headers: Readonly<Record<string, string>>,
  body?: object,
) => Promise<Answer>

/** These are present only sometimes. */
const OPTIONAL_HEADERS = ['idempotent-replayed', 'ignored-fields']

export function documentOf(app: App): Document {
  return JSON.parse(JSON.stringify(app.swagger()))
}

export function operationsOf({ paths }: Document): readonly Named[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([verb, operation]) => {
      const method = verb.toUpperCase() as Method
      return { route: `${method} ${path}`, method, path, operation }
    }),
  )
}

/** The error codes of an operation, as `409 in_use`. */
export function refusalsOf({ responses }: Operation): readonly string[] {
  return Object.entries(responses).flatMap(([status, { description }]) =>
    Number(status) < 400 ? [] : codesIn(description).map((code) => `${status} ${code}`),
  )
}

/** Like `call`, and checks that the document describes the answer. */
export function checkedCall(app: App): CheckedCall {
  const check = answerCheck(documentOf(app))
  return async (method, url, headers, body) => {
    const answer = await call(app, method, url, headers, body)
    check(method, url, answer)
    return answer
  }
}

/** The document lets answers gain fields; the answers of this version have no others. */
function closed(document: Document): Document {
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => [
    name,
    closedSchema(schema),
  ])
  return {
    ...document,
    components: { ...document.components, schemas: Object.fromEntries(schemas) },
  }
}

function closedSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closedSchema)
  if (typeof schema !== 'object' || schema === null) return schema
  const parts = Object.entries(schema).map(([name, value]) => [name, closedSchema(value)])
  const own = 'properties' in schema ? { additionalProperties: false } : {}
  return { ...own, ...Object.fromEntries(parts) }
}

/** Expects the document to describe the answer to a request for a path. */
export function answerCheck(document: Document) {
  const valueCheck = schemaCheck(document)
  return (method: string, url: string, answer: Answer): void => {
    const path = pathOf(document, url)
    const verb = method.toLowerCase()
    const status = String(answer.status)
    const { responses = {} } = document.paths[path]?.[verb] ?? {}
    expect(Object.keys(responses), `${method} ${path}: ${answer.text}`).toContain(status)
    const response = responses[status] ?? { description: '' }
    const type = String(answer.headers['content-type']).split(';')[0] ?? ''
    expect(Object.keys(response.content ?? {})).toContain(type)
    expectHeaders(response, answer)
    if (type !== 'application/json') return
    expectCode(response, answer)
    const place = ['paths', path, verb, 'responses', status, 'content', type, 'schema']
    expect(valueCheck(place, answer.body)).toEqual([])
  }
}

/** Expects the document to describe the request that an endpoint gets for an event. */
export function eventCheck(document: Document) {
  const check = schemaCheck(document)
  return (type: string, body: unknown): void => {
    const place = ['webhooks', type, 'post', 'requestBody', 'content', 'application/json', 'schema']
    expect([type, check(place, body)]).toEqual([type, []])
  }
}

/** The faults of a value, by the schema at a place of the document. */
export function schemaCheck(document: Document) {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false })
  formats.default(ajv)
  ajv.addSchema({ ...closed(document), $id: 'document' })
  const compiled = new Map<string, ValidateFunction>()
  return (place: readonly string[], value: unknown): readonly unknown[] => {
    const $ref = `document#/${place.map(escaped).join('/')}`
    const validate = compiled.get($ref) ?? ajv.compile({ $ref })
    compiled.set($ref, validate)
    return validate(value) ? [] : (validate.errors ?? [])
  }
}

function expectHeaders({ headers = {} }: Response, answer: Answer): void {
  const names = Object.keys(headers).map((name) => name.toLowerCase())
  const promised = names.filter((name) => !OPTIONAL_HEADERS.includes(name))
  expect(Object.keys(answer.headers)).toEqual(expect.arrayContaining(promised))
}

function expectCode({ description }: Response, { body }: Answer): void {
  if (typeof body.error === 'string') expect(codesIn(description)).toContain(body.error)
}

function codesIn(description: string): readonly string[] {
  return [...description.matchAll(/`([a-z_]+)`/g)].map(([, code = '']) => code)
}

function pathOf(document: Document, url: string): string {
  const [path = ''] = url.split('?')
  const templates = Object.keys(document.paths)
  const isLike = (template: string) =>
    new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path)
  const found = templates.find((template) => template === path) ?? templates.find(isLike)
  if (found === undefined) throw new Error(`the document knows no ${path}`)
  return found
}

function escaped(token: string): string {
  return encodeURIComponent(token.replaceAll('~', '~0').replaceAll('/', '~1'))
}
