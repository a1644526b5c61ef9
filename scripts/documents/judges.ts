// The faults that two linters find in the OpenAPI document by their recommended rules: Redocly's
// and Spectral's. Their libraries read the document from memory; nothing is fetched.

import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectral, { type RulesetDefinition } from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import type { ApiDocument } from './service-document.ts'

/** The two packages' types differ in their versions of a third. */
const OPENAPI_RULES = oas as unknown as RulesetDefinition

interface Fault {
  readonly rule: string
  /** A JSON pointer, `#/paths/~1healthz/get`. */
  readonly place: string
  readonly message: string
}

interface Exemption extends Pick<Fault, 'rule' | 'place'> {
  readonly reason: string
}

/** Each is for one place, so that the same fault of a new operation is still found. */
const EXEMPTIONS: readonly Exemption[] = [
  {
    rule: 'no-ambiguous-paths',
    place: '#/paths/~1invoice~1{id}~1pay',
    reason: '/invoice/schedule/{id} is a path of existing clients; an id is never `schedule`',
  },
  ...['healthz', 'readyz', 'metrics'].map((probe) => ({
    rule: 'operation-4xx-response',
    place: `#/paths/~1${probe}/get/responses`,
    reason: 'a probe takes no input that could be wrong',
  })),
]

/** One line for each fault, and for each exemption that is no longer needed. */
export async function faultsIn(document: ApiDocument): Promise<readonly string[]> {
  const faults = [...(await ofRedocly(document)), ...(await ofSpectral(document))]
  const found = faults.filter((fault) => !EXEMPTIONS.some((one) => isSame(one, fault)))
  const unused = EXEMPTIONS.filter((one) => !faults.some((fault) => isSame(one, fault)))
  return [
    ...found.map(({ rule, place, message }) => `${rule} at ${place}: ${message}`),
    ...unused.map(({ rule, place }) => `${rule} at ${place} needs no exemption any more`),
  ]
}

function isSame(exemption: Exemption, { rule, place }: Fault): boolean {
  return exemption.rule === rule && exemption.place === place
}

async function ofRedocly(document: ApiDocument): Promise<readonly Fault[]> {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: 'openapi.json',
    config,
  })
  return problems.map(({ ruleId, location, message }) => ({
    rule: ruleId,
    place: location[0]?.pointer ?? '',
    message,
  }))
}

async function ofSpectral(document: ApiDocument): Promise<readonly Fault[]> {
  const judge = new spectral.Spectral()
  judge.setRuleset({ extends: [[OPENAPI_RULES, 'recommended']] })
  const results = await judge.run({ ...document })
  return results.map(({ code, path, message }) => ({
    rule: String(code),
    place: `#/${path.map(pointerToken).join('/')}`,
    message,
  }))
}

function pointerToken(token: string | number): string {
  return String(token).replaceAll('~', '~0').replaceAll('/', '~1')
}
