// The way through a list that is longer than a page.

interface PagerProps {
  /** What of the list is shown: `51–100 of 4,211`. */
  readonly shown: string
  readonly newer?: string | undefined
  readonly older?: string | undefined
}

export function Pager({ shown, newer, older }: PagerProps) {
  return (
    <nav class="pager" aria-label="Pages of the list">
      <p class="quiet number">{shown}</p>
      {newer === undefined ? null : (
        <a class="button plain" href={newer}>
          ← Newer
        </a>
      )}
      {older === undefined ? null : (
        <a class="button plain" href={older}>
          Older →
        </a>
      )}
    </nav>
  )
}

/** `1,234,567`, whatever the language of the host. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',')
}
