// The navigation of a list with several pages.

interface PagerProps {
  /** The shown part of the list: `51–100 of 4,211`. */
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

/** `1,234,567`, in any language of the host. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',')
}
