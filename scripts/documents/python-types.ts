// The generated part of the Python client: the types of bodies, queries and answers, as
// dictionaries with known keys, in the syntax of Python 3.9.

import { type Calls, callsOf, referredName } from './calls.ts'
import { literalOf, textOf } from './python-words.ts'
import type { ApiDocument, Schema } from './service-document.ts'

const HEAD = `# Made by \`npm run openapi\`; do not edit.

from __future__ import annotations

from decimal import Decimal
from typing import Any, Dict, List, Literal, Optional, TypedDict, Union

#: An amount in major units. A text or a Decimal is exact.
Amount = Union[int, float, str, Decimal]

PageFields = TypedDict(
    "PageFields",
    {
        "total": int,
        "per_page": int,
        "current_page": int,
        "last_page": int,
        "from": Optional[int],
        "to": Optional[int],
        "next_page_url": Optional[str],
        "prev_page_url": Optional[str],
    },
)`

const PLAIN: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
}

const IDENTIFIER = /^[a-z_]\w*$/i
const KEYWORDS = ['class', 'def', 'from', 'global', 'import', 'in', 'is', 'pass', 'return']

/** Names a nested type by its place, and writes it before the type that has it. */
type Nest = (place: string, schema: Schema) => string

export function pythonTypes(document: ApiDocument): string {
  const calls = callsOf(document)
  const parts = Object.entries(calls.types).flatMap(([name, schema]) => definitionsOf(name, schema))
  return `${[HEAD, ...parts, ...pagesOf(calls)].join('\n\n\n')}\n`
}

function definitionsOf(name: string, schema: Schema): readonly string[] {
  const before: string[] = []
  const nest: Nest = (place, nested) => {
    const own = name + place
    before.push(...definitionsOf(own, nested))
    return own
  }
  const { properties, required = [], description } = schema
  if (properties === undefined) {
    const alias = expressionOf(schema, nest, 'Part')
    return [...before, `${name} = ${alias}`]
  }
  const all = Object.entries(properties as Readonly<Record<string, Schema>>)
  const isRequired = (field: string) => (required as readonly string[]).includes(field)
  const needed = all.filter(([field]) => isRequired(field))
  const optional = all.filter(([field]) => !isRequired(field))
  const says = typeof description === 'string' ? description : undefined
  const isTotal = optional.length === 0
  if (!all.every(([field]) => IDENTIFIER.test(field) && !KEYWORDS.includes(field))) {
    const made = dictionary(name, isTotal, all, nest)
    return [...before, made]
  }
  const isMixed = !isTotal && needed.length > 0
  const base = isMixed ? [classOf(`${name}Required`, ['TypedDict'], needed, nest)] : []
  const bases = [isMixed ? `${name}Required` : 'TypedDict', ...(isTotal ? [] : ['total=False'])]
  const whole = classOf(name, bases, isMixed ? optional : all, nest, says)
  return [...before, ...base, whole]
}

/** A dictionary type with keys that cannot be names of fields in Python. */
function dictionary(
  name: string,
  isTotal: boolean,
  fields: readonly (readonly [string, Schema])[],
  nest: Nest,
): string {
  const entries = fields.map(([field, schema]) => {
    const type = expressionOf(schema, nest, placeOf(field)).replaceAll('"', "'")
    return `        "${field}": "${type}",`
  })
  const total = isTotal ? [] : ['    total=False,']
  const lines = [`    "${name}",`, '    {', ...entries, '    },', ...total]
  return [`${name} = TypedDict(`, ...lines, ')'].join('\n')
}

function classOf(
  name: string,
  bases: readonly string[],
  fields: readonly (readonly [string, Schema])[],
  nest: Nest,
  description?: string,
): string {
  const typed = fields.map(
    ([field, schema]) => [field, expressionOf(schema, nest, placeOf(field)), schema] as const,
  )
  const lines = typed.flatMap(([field, type, { description: says }]) => [
    `    ${field}: ${type}`,
    ...(typeof says === 'string' ? [`    ${textOf(says)}`] : []),
  ])
  const head = description === undefined ? [] : [`    ${textOf(description)}`, '']
  return [`class ${name}(${bases.join(', ')}):`, ...head, ...lines].join('\n')
}

function expressionOf(schema: Schema, nest: Nest, place: string): string {
  const { $ref, anyOf, enum: values, type, properties } = schema
  if (typeof $ref === 'string') return `"${referredName($ref)}"`
  if (Array.isArray(anyOf)) {
    return unionOf(anyOf.map((one, index) => expressionOf(one, nest, `${place}${index + 1}`)))
  }
  if (Array.isArray(values)) return `Literal[${values.map(literalOf).join(', ')}]`
  if (properties !== undefined) {
    const name = `"${nest(place, { ...schema, type: 'object' })}"`
    return [type].flat().includes('null') ? `Optional[${name}]` : name
  }
  return unionOf([type].flat().map((one) => simpleOf(String(one), schema, nest, place)))
}

function simpleOf(type: string, schema: Schema, nest: Nest, place: string): string {
  const { items, additionalProperties: more, 'x-kind': kind } = schema
  if (type === 'array')
    return `List[${expressionOf((items ?? {}) as Schema, nest, `${place}Item`)}]`
  if (type === 'object') {
    const value = typeof more === 'object' ? expressionOf(more as Schema, nest, place) : 'Any'
    return `Dict[str, ${value}]`
  }
  if (String(kind).endsWith('money') && type !== 'null') return 'Amount'
  return PLAIN[type] ?? 'Any'
}

function unionOf(types: readonly string[]): string {
  const different = [...new Set(types)]
  const others = different.filter((one) => one !== 'None')
  if (others.length === 0) return 'None'
  const [only = ''] = others
  const union = others.length > 1 ? `Union[${others.join(', ')}]` : only
  return others.length < different.length ? `Optional[${union}]` : union
}

function placeOf(field: string): string {
  return field.replace(/(?:^|_)(\w)/g, (_, first: string) => first.toUpperCase())
}

function pagesOf({ calls }: Calls): readonly string[] {
  const items = calls.flatMap(({ returns }) => (returns.kind === 'page' ? [returns.type] : []))
  return [...new Set(items)].map(
    (item) => `class ${item}Page(PageFields):\n    data: List["${item}"]`,
  )
}
