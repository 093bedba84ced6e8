/** Every character that steers a terminal, but for ends of lines and tabs. */
const controls = /[^\P{Cc}\n\t]/gu;

/** A target's text for people: what would move a cursor or change colours is shown as unknown. */
export const plain = (text: string): string => text.replaceAll('\r\n', '\n').replace(controls, '\ufffd');
