// The pages of the reference and their contents: a page for each tag, with its operations and the
// objects that they return.

import assert from 'node:assert/strict'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import {
  JSON_MEDIA,
  refName,
  refsIn,
  type ShownDocument,
  type ShownOperation,
  type ShownResponse,
} from './document.ts'

export const ROOT = '/docs'

/** The object that describes every error. It is shown on the first page, with all codes. */
const ERROR = 'Error'

export interface OperationEntry {
  /** The anchor, `post-transaction-id-void`. */
  readonly id: string
  readonly href: string
  readonly tag: string
  /** In capitals. */
  readonly method: string
  /** The path in the document, `/transaction/{id}/void`. */
  readonly path: string
  readonly summary: string
  readonly operation: ShownOperation
  /** The error codes by status. */
  readonly codes: readonly ErrorOfOperation[]
}

export interface ErrorOfOperation {
  readonly status: string
  readonly code: string
}

export interface TagPage {
  readonly name: string
  readonly slug: string
  readonly href: string
  readonly description: string
  readonly operations: readonly OperationEntry[]
  /** The names of the shared schemas that this page shows. */
  readonly objects: readonly string[]
}

export interface Outline {
  readonly document: ShownDocument
  /** The address of the API, without a slash at the end. */
  readonly address: string
  readonly tags: readonly TagPage[]
  /** The place of each shared schema. */
  readonly objectHrefs: ReadonlyMap<string, string>
  /** The operations that show the example of an object which is too large to be repeated. */
  readonly exampleHomes: ReadonlyMap<string, OperationEntry>
  /** The keys are like `GET /transaction/{id}`. */
  readonly operationHrefs: ReadonlyMap<string, string>
  /** Every operation with a key can have these errors; by whether it has a body. */
  readonly commonCodes: ReadonlyMap<boolean, ReadonlySet<string>>
}

export interface OperationProps {
  readonly entry: OperationEntry
}

export const PageOutline = createContext<Outline | undefined>(undefined)

export function useOutline(): Outline {
  const outline = useContext(PageOutline)
  assert(outline !== undefined, 'a page of the reference has an outline')
  return outline
}

export function outlineOf(document: ShownDocument, address: string): Outline {
  const tags = tagPagesOf(document)
  const operations = tags.flatMap((tag) => tag.operations)
  const objectHrefs = tags.flatMap(({ href, objects }) =>
    objects.map((name) => [name, `${href}#${objectId(name)}`] as const),
  )
  return {
    document,
    address,
    tags,
    objectHrefs: new Map([...objectHrefs, [ERROR, `${ROOT}#${objectId(ERROR)}`]]),
    exampleHomes: exampleHomesOf(document, tags),
    operationHrefs: new Map(operations.map((one) => [`${one.method} ${one.path}`, one.href])),
    commonCodes: new Map([true, false].map((has) => [has, commonCodesOf(operations, has)])),
  }
}

export function objectId(name: string): string {
  return `${slugOf(name)}-object`
}

export function slugOf(text: string): string {
  return text
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

export function objectHref({ objectHrefs }: Outline, name: string): string {
  return objectHrefs.get(name) ?? ROOT
}

export function errorHref(code: string): string {
  return `${ROOT}#${errorId(code)}`
}

export function errorId(code: string): string {
  return `error-${code}`
}

export function isError(status: string): boolean {
  return Number(status) >= 400
}

/** The schemas of a response, by media type. */
export function schemasOf({ content = {} }: ShownResponse) {
  return Object.values(content).map(({ schema }) => schema)
}

function tagPagesOf(document: ShownDocument): readonly TagPage[] {
  const pages = (document.tags ?? []).map(({ name, description = '' }) => {
    const [slug, href] = [slugOf(name), `${ROOT}/${slugOf(name)}`]
    return { name, slug, href, description, operations: operationsOf(document, name, href) }
  })
  const homes = homesOf(document, pages)
  return pages.map((page) => ({
    ...page,
    objects: Object.keys(document.components.schemas).filter(
      (name) => homes.get(name) === page.slug,
    ),
  }))
}

function operationsOf(
  { paths }: ShownDocument,
  tag: string,
  href: string,
): readonly OperationEntry[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { tags = [] }]) => tags[0] === tag)
      .map(([verb, operation]) => {
        const id = slugOf(`${verb} ${path}`)
        const [method, summary] = [verb.toUpperCase(), operation.summary ?? path]
        const codes = codesOf(operation)
        return { id, href: `${href}#${id}`, tag, method, path, summary, operation, codes }
      }),
  )
}

/** The descriptions of error responses name their codes as `code`. */
function codesOf({ responses }: ShownOperation): readonly ErrorOfOperation[] {
  return Object.entries(responses)
    .filter(([status]) => isError(status))
    .flatMap(([status, { description }]) =>
      [...description.matchAll(/`([a-z_]+)`/g)].map(([, code = '']) => ({ status, code })),
    )
}

/** An object is shown on the page whose operations return it most often. */
function homesOf(
  { components: { schemas } }: ShownDocument,
  pages: readonly Omit<TagPage, 'objects'>[],
): ReadonlyMap<string, string> {
  const homes = new Map<string, string>()
  for (const name of Object.keys(schemas)) {
    const [first] = pages
      .map(({ slug, operations }) => ({ slug, times: operations.filter(returns(name)).length }))
      .filter(({ times }) => times > 0 && name !== ERROR)
      .sort((one, other) => other.times - one.times)
    if (first !== undefined) homes.set(name, first.slug)
  }
  // An object that only another object contains is shown beside that object.
  for (const [name, schema] of Object.entries(schemas)) {
    for (const part of Object.values(schema.properties ?? {}).flatMap(refsIn)) {
      const home = homes.get(name)
      if (!homes.has(part) && home !== undefined) homes.set(part, home)
    }
  }
  return homes
}

function returns(name: string) {
  return ({ operation: { responses } }: OperationEntry) =>
    Object.entries(responses).some(
      ([status, response]) =>
        !isError(status) && schemasOf(response).flatMap(refsIn).includes(name),
    )
}

/** A larger example would be the greater part of a page with many operations. */
const REPEATED_CHARACTERS = 1_000

function exampleHomesOf(
  { components: { schemas } }: ShownDocument,
  tags: readonly TagPage[],
): ReadonlyMap<string, OperationEntry> {
  const homes = tags.flatMap(({ operations, objects }) =>
    objects.flatMap((name) => {
      const isLarge =
        JSON.stringify(schemas[name]?.examples?.[0] ?? '').length > REPEATED_CHARACTERS
      const home = operations.find(({ operation }) => returnedObject(operation) === name)
      return isLarge && home !== undefined ? [[name, home] as const] : []
    }),
  )
  return new Map(homes)
}

/** The shared schema that a successful answer has. */
export function returnedObject({ responses }: ShownOperation): string | undefined {
  const schema = responses[200]?.content?.[JSON_MEDIA]?.schema
  return schema === undefined ? undefined : refName(schema)
}

function commonCodesOf(
  operations: readonly OperationEntry[],
  hasBody: boolean,
): ReadonlySet<string> {
  const codes = operations
    .filter(({ operation: { security } }) => security.length > 0)
    .filter(({ operation: { requestBody } }) => (requestBody !== undefined) === hasBody)
    .map((one) => new Set(one.codes.map(({ code }) => code)))
  return new Set([...(codes[0] ?? [])].filter((code) => codes.every((some) => some.has(code))))
}
