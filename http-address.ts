/** Whether a text is the address of something that speaks HTTP: with its protocol, as in `https://127.0.0.1:6443`. */
export const isHttpAddress = (text: string): boolean => /^https?:$/.test(URL.parse(text)?.protocol ?? '');
