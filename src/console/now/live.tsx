// A figure that moves, in a place that the script finds by its name.

import type { ShownFigures } from './shown-now.ts'

interface LiveProps {
  readonly name: string
  readonly of: ShownFigures
  readonly class?: string
}

export function Live({ name, of, class: kind }: LiveProps) {
  const { text, tone } = of[name] ?? { text: '–', tone: '' }
  return (
    <span class={kind} data-now={name} data-tone={tone}>
      {text}
    </span>
  )
}
