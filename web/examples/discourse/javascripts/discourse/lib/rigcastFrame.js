/** Extensions of model files whose links become frames. */
const MODELS = /\.(cast|psk|pskx|vgo|semodel|uemodel|ueworld)$/i;

/**
 * Returns the URL of a frame for a link to a model, or null for other links. `page`: URL of
 * embed.html. `href`: the link, which any member of the forum can write.
 */
export function frameUrl(page, href) {
  if (!URL.canParse(href)) return null;
  const link = new URL(href);
  if (link.protocol !== 'https:' || link.username || link.password || !MODELS.test(link.pathname)) return null;
  const frame = new URL(page);
  frame.searchParams.set('src', link.href);
  frame.searchParams.set('controls', '1');
  return frame.href;
}

/** Replaces a link that is alone in its paragraph, like a onebox, by a frame. */
export function embedLink(link, page) {
  const url = frameUrl(page, link.href);
  const paragraph = link.parentElement;
  if (!url || paragraph?.localName !== 'p' || paragraph.textContent.trim() !== link.textContent.trim()) return;
  const frame = document.createElement('iframe');
  frame.src = url;
  frame.title = link.textContent;
  frame.loading = 'lazy';
  frame.allow = 'fullscreen';
  frame.width = '690';
  frame.height = '400';
  frame.style.cssText = 'border: 0; max-width: 100%';
  link.before(frame, document.createElement('br')); // the link stays, for downloads
}
