// Events in order, each with its instant.

import { At, Verbatim } from './shown.tsx'

export type Tone = 'good' | 'bad' | 'wait' | 'plain'

export interface TimelineEntry {
  readonly at: Date
  readonly title: string
  readonly tone: Tone
  /** Each on a line of its own. */
  readonly lines: readonly string[]
  /** A link to more about it. */
  readonly link?: { readonly path: string; readonly words: string } | undefined
  /** The event's payload, as receivers get it. It is folded away. */
  readonly snapshot?: string | undefined
}

export function Timeline({ moments }: { moments: readonly TimelineEntry[] }) {
  return (
    <ol class="timeline">
      {moments.map((moment, i) => (
        <li key={i} class={moment.tone}>
          <At instant={moment.at} />
          <div class="moment">
            <p class="what">{moment.title}</p>
            {moment.lines.map((line) => (
              <p key={line} class="quiet">
                {line}
              </p>
            ))}
            {moment.link === undefined ? null : <a href={moment.link.path}>{moment.link.words}</a>}
            {moment.snapshot === undefined ? null : (
              <details>
                <summary>Event payload</summary>
                <Verbatim text={moment.snapshot} />
              </details>
            )}
          </div>
        </li>
      ))}
    </ol>
  )
}
