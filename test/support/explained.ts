// The plans with which the database runs statements.

import assert from 'node:assert'
import type pg from 'pg'
import type { Query } from '../../src/db/database.ts'
import type { Statement } from '../../src/db/terms.ts'

export interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly 'Group Key'?: readonly string[]
  /** As the planner estimates them. */
  readonly 'Plan Rows': number
  readonly 'Conflict Arbiter Indexes'?: readonly string[]
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Shared Hit Blocks': number
  readonly 'Shared Read Blocks': number
  readonly Plans?: readonly PlanNode[]
}

export interface Explained {
  readonly text: string
  readonly ms: number
  readonly planMs: number
  readonly nodes: readonly PlanNode[]
  /** The pages that were read. */
  readonly buffers: number
}

/** Runs statements as the world does, and keeps the plan of each. */
export function explaining(client: pg.Client, kept: Explained[]): Query {
  return async (text, values = []) => {
    const explain = `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`
    const [row] = (await client.query(explain, [...values])).rows
    const { Plan: plan, 'Execution Time': ms, 'Planning Time': planMs } = row['QUERY PLAN'][0]
    const buffers = plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
    kept.push({ text, ms, planMs, nodes: nodesOf(plan), buffers })
    return (await client.query(text, [...values])).rows
  }
}

/** Small tables, which may be scanned whole. */
const SMALL = ['account', 'team']

/** The rows of a statement, the large tables that it scanned, and the pages that it read. */
export async function runExplained(client: pg.Client, { text, values }: Statement) {
  const kept: Explained[] = []
  const rows = await explaining(client, kept)(text, values)
  const [explained] = kept
  assert(explained !== undefined, 'a statement has a plan')
  const scanned = explained.nodes.filter((node) => node['Node Type'] === 'Seq Scan')
  const read = scanned
    .map((node) => node['Relation Name'])
    .filter((name) => !SMALL.includes(String(name)))
  return { rows, read, buffers: explained.buffers }
}

export function nodesOf(plan: PlanNode): readonly PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]
}

export function typesOf(nodes: readonly PlanNode[]): readonly string[] {
  return nodes.map((node) => node['Node Type'])
}

/** The indexes that a plan uses, each once. */
export function indexesOf(nodes: readonly PlanNode[]): readonly string[] {
  return [...new Set(nodes.flatMap((node) => node['Index Name'] ?? []))]
}

/** The most rows in any sort. */
export function mostSorted(nodes: readonly PlanNode[]): number {
  const sorts = nodes.filter((node) => /Sort$/.test(node['Node Type']))
  const given = sorts.map((sort) => (sort.Plans ?? []).map(rowsOf).reduce((a, b) => a + b, 0))
  return Math.max(0, ...given)
}

function rowsOf(node: PlanNode): number {
  return node['Actual Rows'] * node['Actual Loops']
}
