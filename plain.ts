/** Every character that steers a terminal, but for ends of lines and tabs. */
const controls = /[^\P{Cc}\n\t]/gu;

/** A text of others for people: what would move a cursor or change colours is shown as unknown. */
export const plain = (text: string): string => text.replaceAll('\r\n', '\n').replace(controls, '\ufffd');

/** The same as one entry of a log: none of its lines looks like another entry. */
export const plainEntry = (text: string): string => plain(text).replaceAll('\n', '\n    ');
