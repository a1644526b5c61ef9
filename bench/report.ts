// Prints the figures for people, and for programs.

import type { Machine } from './machine.ts'

export interface Figure {
  /** The name in JSON. */
  readonly name: string
  /** The label in the table. */
  readonly label: string
  readonly value: number
  readonly unit: string
}

export interface Section {
  readonly title: string
  readonly notes: readonly string[]
  readonly figures: readonly Figure[]
  readonly ratios: Readonly<Record<string, number>>
}

export interface Report {
  readonly machine: Machine
  readonly commit: string
  readonly date: string
  readonly sections: readonly Section[]
}

const SIGNIFICANT = 3
const LEFT_OF_POINT = 1_000

export function asJson({ machine, commit, date, sections }: Report): string {
  const figures = sections.flatMap((section) => section.figures)
  return JSON.stringify({
    machine,
    commit,
    date,
    ratios: ratiosOf(sections),
    figures: Object.fromEntries(figures.map(({ name, value }) => [name, rounded(value)])),
  })
}

export function asText(report: Report): string {
  const { machine, commit, date, sections } = report
  const { cpu, cores, memoryGb, system, node } = machine
  const head = [
    `Lamplighter ${commit}, ${date}`,
    `${cpu}, ${cores} cores, ${memoryGb} GB, ${system}, Node ${node}`,
  ]
  const ratios = Object.entries(ratiosOf(sections)).map(([name, value]) => [
    name,
    String(value),
    '',
  ])
  const parts = sections.map(({ title, notes, figures }) => [
    title,
    ...notes.map((note) => `  ${note}`),
    ...table(figures.map(({ label, value, unit }) => [label, shown(value), unit])),
  ])
  return [head, ...parts, ['Ratios', ...table(ratios)]].map((part) => part.join('\n')).join('\n\n')
}

function ratiosOf(sections: readonly Section[]): Record<string, number> {
  const all = sections.flatMap(({ ratios }) => Object.entries(ratios))
  return Object.fromEntries(all.map(([name, value]) => [name, rounded(value)]))
}

function table(rows: readonly (readonly string[])[]): string[] {
  const width = (column: number) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0))
  const [labels, values] = [width(0), width(1)]
  return rows.map(([label = '', value = '', unit = '']) =>
    `  ${label.padEnd(labels)}  ${value.padStart(values)} ${unit}`.trimEnd(),
  )
}

function shown(value: number): string {
  return rounded(value).toLocaleString('en-US', { maximumFractionDigits: 6 })
}

function rounded(value: number): number {
  return Math.abs(value) >= LEFT_OF_POINT
    ? Math.round(value)
    : Number(value.toPrecision(SIGNIFICANT))
}
