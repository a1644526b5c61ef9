// The manifests of deploy/kubernetes as plain data, and the fields that Kubernetes knows.

import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'
import { SETTINGS } from '../../src/config/settings.ts'
import { SECRETS_KEY } from './secrets-key.ts'

export const KUBERNETES = join(import.meta.dirname, '../../deploy/kubernetes')

// biome-ignore lint/suspicious/noExplicitAny: of many shapes, each validated by its schema
export type Manifest = Record<string, any>

export interface ManifestFile {
  /** The path within deploy/kubernetes. */
  readonly path: string
  readonly manifests: readonly Manifest[]
}

/** Every file except those of kustomize itself. */
export function readManifests(): readonly ManifestFile[] {
  return readdirSync(KUBERNETES, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.yaml') && !path.endsWith('kustomization.yaml'))
    .map((path) => ({ path, manifests: documentsOf(readFileSync(join(KUBERNETES, path), 'utf8')) }))
}

export function readKustomization(folder = '.'): Manifest {
  return parse(readFileSync(join(KUBERNETES, folder, 'kustomization.yaml'), 'utf8'))
}

/** The settings of the ConfigMap that kustomize makes. */
export function readSettings(): Readonly<Record<string, string>> {
  const lines = readFileSync(join(KUBERNETES, 'settings.env'), 'utf8').split('\n')
  return Object.fromEntries(
    lines
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
}

/** The published schemas accept any other field, so a misspelt one would not be noticed. */
export function knownFields(): ReadonlySet<string> {
  const packages = [
    'kubernetes-models',
    '@kubernetes-models/apimachinery',
    '@kubernetes-models/keda',
  ]
  const files = packages.flatMap((name) => typesIn(join(KUBERNETES, '../../node_modules', name)))
  const fields = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^\s+"(\w+)"\??:/gm)].map(([, field = '']) => field),
  )
  return new Set(fields)
}

/** The names under these are free. */
const FREE = new Set([
  'labels',
  'annotations',
  'matchLabels',
  'selector',
  'stringData',
  'requests',
  'limits',
  'metadata of a trigger',
])

/** The fields of a manifest, without those with free names. */
export function fieldsOf(value: unknown, under = ''): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((one) => fieldsOf(one, under))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([field, inner]) => {
    const where = under === 'triggers' && field === 'metadata' ? 'metadata of a trigger' : field
    const isFree = FREE.has(where) && !(field === 'selector' && hasLabels(inner))
    return [field, ...(isFree ? [] : fieldsOf(inner, field))]
  })
}

function hasLabels(selector: unknown): boolean {
  return typeof selector === 'object' && selector !== null && 'matchLabels' in selector
}

function documentsOf(text: string): readonly Manifest[] {
  return parseAllDocuments(text).map((document) => {
    if (document.errors.length > 0) throw document.errors[0]
    return document.toJS()
  })
}

function typesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.d.ts') && !relative(folder, path).includes('node_modules'))
    .map((path) => join(folder, path))
}

/** All manifests of all files. */
export const MANIFESTS = readManifests().flatMap(({ manifests }) => manifests)

export function ofKind(kind: string): readonly Manifest[] {
  return MANIFESTS.filter((manifest) => manifest.kind === kind)
}

export function titleOf({ kind, metadata }: Manifest): string {
  return `${kind} ${metadata.name}`
}

/** The settings of the live gateways. Trials and limits need no place of their own. */
export const GATEWAY_SETTINGS = Object.values(SETTINGS)
  .map(({ name }) => name as string)
  .filter((name) => /^(STRIPE|CHECKOUT)_(?!REQUESTS)/.test(name) && name !== 'STRIPE_API_URL')

/** The environment of a container, from the settings and the example secret. */
export function environmentOf(container: Manifest): Readonly<Record<string, string>> {
  const [secret] = ofKind('Secret')
  const filled = { ...secret?.stringData, SECRETS_KEY }
  const own = (container.env as Manifest[]).map(({ name, value }) => [name, value ?? filled[name]])
  return { ...readSettings(), ...Object.fromEntries(own) }
}
