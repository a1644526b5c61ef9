// The generated part of the Python client: a method for each operation.

import { snakeCase } from '../../src/core/snake-case.ts'
import { type Call, callsOf, type Returns, rowOf } from './calls.ts'
import { literalOf, textOf } from './python-words.ts'
import type { ApiDocument } from './service-document.ts'

const LONGEST_LINE = 96

const HEAD = `# Made by \`npm run openapi\`; do not edit.

from __future__ import annotations

from typing import Any, Iterator, List, Literal, Optional, Tuple, overload

from . import types as t

#: The method and the path of each operation, what it takes beside the id, and the fields of its body.
OPERATIONS = {`

const CLASS = `

class Operations:
    """A method for each operation of the API, named by its operationId."""

    def _call(
        self,
        name: str,
        id: Optional[str],
        given: Any,
        timeout: Optional[float],
        idempotency_key: Optional[str] = None,
        respond_async: bool = False,
    ) -> Any:
        raise NotImplementedError

    def _each(self, name: str, args: Tuple[Any, ...]) -> Iterator[Any]:
        raise NotImplementedError

    def _csv(self, name: str, args: Tuple[Any, ...]) -> str:
        raise NotImplementedError`

const EACH = `    def each(self, name: str, *args: Any) -> Iterator[Any]:
        """Every row of a list, page by page: for one in client.each("list_events")."""
        return self._each(name, args)`

export function pythonMethods(document: ApiDocument): string {
  const { calls } = callsOf(document)
  const rows = calls.map((call) => `    ${nameOf(call)}: ${literalOf(rowOf(call))},`)
  const table = [HEAD, ...rows, '}', CLASS].join('\n')
  return `${[table, ...calls.map(methodOf), walks(calls)].join('\n\n')}\n`
}

function methodOf(call: Call): string {
  const { name, summary, hasId, takes, input, isAsync, returns } = call
  const isKeyed = takes === 'keyed'
  const given = takes === 'query' ? 'query' : 'body'
  const parameters = [
    'self',
    ...(hasId ? ['id: str'] : []),
    ...inputParameters(call),
    '*',
    'timeout: Optional[float] = None',
    ...(isKeyed ? ['idempotency_key: Optional[str] = None'] : []),
    ...(isAsync ? ['respond_async: bool = False'] : []),
  ]
  const passed = [
    nameOf(call),
    hasId ? 'id' : 'None',
    input === undefined ? 'None' : given,
    'timeout',
    ...(isKeyed ? ['idempotency_key'] : []),
    ...(isAsync ? ['respond_async'] : []),
  ]
  return [
    ...fitted(`    def ${snakeCase(name)}(`, parameters, `) -> ${typeOf(returns)}:`),
    `        ${textOf(`${summary}.`)}`,
    ...fitted('        return self._call(', passed, ')'),
  ].join('\n')
}

function nameOf({ name }: Call): string {
  return literalOf(snakeCase(name))
}

/** All items on one line, or each on a line of its own. */
function fitted(start: string, items: readonly string[], end: string): readonly string[] {
  const line = `${start}${items.join(', ')}${end}`
  if (line.length <= LONGEST_LINE) return [line]
  const indent = /^ */.exec(start)?.[0] ?? ''
  return [start, ...items.map((item) => `${indent}    ${item},`), `${indent}${end}`]
}

function inputParameters({ takes, input }: Call): readonly string[] {
  if (input === undefined) return []
  const given = takes === 'query' ? 'query' : 'body'
  const type = `t.${input.type}`
  return [input.isRequired ? `${given}: ${type}` : `${given}: Optional[${type}] = None`]
}

function typeOf(returns: Returns): string {
  switch (returns.kind) {
    case 'text':
      return 'str'
    case 'one':
      return `t.${returns.type}`
    case 'array':
      return `List[t.${returns.type}]`
    case 'page':
      return `t.${returns.type}Page`
  }
}

/** Type checkers need the input and the rows of each list by its name. */
function walks(calls: readonly Call[]): string {
  const lists = calls.flatMap((call) => (call.returns.kind === 'page' ? [eachOf(call)] : []))
  const names = calls.filter(({ hasCsv }) => hasCsv).map(nameOf)
  const parameters = ['self', `name: Literal[${names.join(', ')}]`, '*args: Any']
  const csv = [
    ...fitted('    def csv(', parameters, ') -> str:'),
    `        ${textOf('A whole list as CSV.')}`,
    '        return self._csv(name, args)',
  ]
  return [...lists, EACH, csv.join('\n')].join('\n\n')
}

function eachOf(call: Call): string {
  const type = call.returns.kind === 'page' ? call.returns.type : ''
  const parameters = [
    'self',
    `name: Literal[${nameOf(call)}]`,
    ...(call.hasId ? ['id: str'] : []),
    ...inputParameters(call),
    '/',
  ]
  const signature = fitted('    def each(', parameters, `) -> Iterator[t.${type}]: ...`)
  return ['    @overload', ...signature].join('\n')
}
