// Shows the Markdown that the document's descriptions use: headings, paragraphs, lists, tables, and
// code in a line.

import { slugOf, useOutline } from './outline.ts'

/** One line of text. `…` is code, and an operation, such as `GET /self`, a link. */
export function Line({ text }: { text: string }) {
  const { operationHrefs } = useOutline()
  return (
    <>
      {text.split('`').map((part, i) => {
        if (i % 2 === 0) return part
        const href = operationHrefs.get(part)
        const code = <code>{part}</code>
        return href === undefined ? (
          code
        ) : (
          <a key={i} href={href}>
            {code}
          </a>
        )
      })}
    </>
  )
}

export interface Section {
  /** Absent for the text before the first heading. */
  readonly heading: string | undefined
  readonly blocks: readonly string[]
}

/** The sections of a text, each with its paragraphs, lists and tables. */
export function sectionsOf(markdown: string): readonly Section[] {
  return markdown
    .split(/^(?=## )/m)
    .map((part) => {
      const [, heading, rest = part] = /^## (.+)\n([\s\S]*)$/.exec(part) ?? []
      return { heading, blocks: rest.split(/\n{2,}/).map((block) => block.trim()) }
    })
    .map(({ heading, blocks }) => ({ heading, blocks: blocks.filter((block) => block !== '') }))
}

interface SectionProps {
  readonly section: Section
  /** The anchor of a row of a table, by its first cell. */
  readonly rowId?: (cell: string) => string
}

export function ProseSection({ section: { heading, blocks }, rowId }: SectionProps) {
  return (
    <section class="prose">
      {heading === undefined ? null : <AnchoredHeading id={slugOf(heading)} text={heading} />}
      {blocks.map((block) => (
        <Block key={block} block={block} rowId={rowId} />
      ))}
    </section>
  )
}

export function AnchoredHeading({ id, text }: { readonly id: string; readonly text: string }) {
  return (
    <h2 id={id}>
      <a class="anchor" href={`#${id}`}>
        {text}
      </a>
    </h2>
  )
}

interface BlockProps {
  readonly block: string
  readonly rowId?: ((cell: string) => string) | undefined
}

function Block({ block, rowId = slugOf }: BlockProps) {
  const lines = block.split('\n')
  if (block.startsWith('|')) return <Table lines={lines} rowId={rowId} />
  if (block.startsWith('- ')) {
    return (
      <ul class="points">
        {lines.map((line) => (
          <li key={line}>
            <Line text={line.replace(/^- /, '')} />
          </li>
        ))}
      </ul>
    )
  }
  return (
    <p>
      <Line text={block} />
    </p>
  )
}

interface TableProps {
  readonly lines: readonly string[]
  readonly rowId: (cell: string) => string
}

function Table({ lines, rowId }: TableProps) {
  const [head = [], , ...rows] = lines.map(cellsOf)
  return (
    <table class="rows">
      <thead>
        <tr>
          {head.map((cell) => (
            <th key={cell} scope="col">
              <Line text={cell} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([first = '', ...cells]) => (
          <tr key={first} id={rowId(first.replaceAll('`', ''))}>
            <th scope="row">
              <Line text={first} />
            </th>
            {cells.map((cell) => (
              <td key={cell}>
                <Line text={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function cellsOf(line: string): readonly string[] {
  return line
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim())
}
