import type { RowItem } from './catalogue.ts'

/** What comes back to the queue stays with whoever began it. */
export function traced(item: RowItem, trace: string | undefined): RowItem {
  return trace === undefined || item.trace !== undefined ? item : { ...item, trace }
}
