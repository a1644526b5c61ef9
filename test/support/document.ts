// Holds answers to what the OpenAPI document says of them.

import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { expect } from 'vitest'
import type { App } from '../../src/http/app.ts'
import { type Answer, call } from './house.ts'

interface Operation {
  readonly summary?: string
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> }
  readonly responses: Readonly<Record<string, object>>
}

interface Media {
  readonly schema: object
  readonly example?: object
}

export interface Document {
  readonly openapi: string
  readonly info: { readonly description: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

export type CheckedCall = (
  method: 'GET' | 'POST',
  url: string,
  headers: Readonly<Record<string, string>>,
  body?: object,
) => Promise<Answer>

export function documentOf(app: App): Document {
  return JSON.parse(JSON.stringify(app.swagger()))
}

/** Like `call`, for an answer that the document describes. */
export function checkedCall(app: App): CheckedCall {
  const check = answerCheck(documentOf(app))
  return async (method, url, headers, body) => {
    const answer = await call(app, method, url, headers, body)
    check(method, url, answer)
    return answer
  }
}

/** Expects the document to describe the answer to a request for a path. */
export function answerCheck(document: Document) {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false })
  formats.default(ajv)
  ajv.addSchema({ ...document, $id: 'document' })
  return (method: string, url: string, { status, body }: Answer): void => {
    const path = pathOf(document, url)
    const place = [path, method.toLowerCase(), 'responses', String(status)]
    const within = ['content', 'application/json', 'schema']
    const pointer = ['paths', ...place, ...within].map(escaped).join('/')
    expect(Object.keys(document.paths[path]?.[method.toLowerCase()]?.responses ?? {})).toContain(
      String(status),
    )
    const validate = ajv.compile({ $ref: `document#/${pointer}` })
    expect(validate(body) ? [] : validate.errors).toEqual([])
  }
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
