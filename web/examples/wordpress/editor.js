// The block in the editor of WordPress. It needs no build step.
(() => {
  /**
   * Returns the URL of the preview. `page`: URL of embed.html. `attributes`: attributes of the block.
   * The parameters are the same as in frame.php.
   */
  function frameUrl(page, { src, files, animation, title }) {
    const url = new URL(page);
    const parameters = { src, files, animation, alt: title, controls: '1' };
    for (const [name, value] of Object.entries(parameters)) if (value && value.trim()) url.searchParams.set(name, value.trim());
    return url.href;
  }

  globalThis.rigcastFrameUrl = frameUrl;
  if (!globalThis.wp) return; // a test

  const { registerBlockType } = wp.blocks;
  const { InspectorControls, useBlockProps } = wp.blockEditor;
  const { PanelBody, Placeholder, TextControl } = wp.components;
  const { createElement: el } = wp.element;
  const { __ } = wp.i18n;

  registerBlockType('rigcast/viewer', {
    edit({ attributes, setAttributes }) {
      const control = (name, label, type = 'text') =>
        el(TextControl, {
          key: name,
          label,
          type,
          value: String(attributes[name]),
          onChange: value => setAttributes({ [name]: type === 'number' ? Number(value) || 400 : value }),
        });
      const source = control('src', __('URL of the model', 'rigcast'), 'url');
      const settings = el(
        InspectorControls,
        { key: 'settings' },
        el(
          PanelBody,
          { title: __('3D model', 'rigcast') },
          source,
          control('files', __('URLs of animations and textures, separated by spaces', 'rigcast')),
          control('animation', __('Animation', 'rigcast')),
          control('title', __('Description', 'rigcast')),
          control('height', __('Height in pixels', 'rigcast'), 'number'),
        ),
      );
      const content = attributes.src
        ? el('iframe', {
            key: 'frame',
            src: frameUrl(globalThis.rigcastPage, attributes),
            title: attributes.title,
            style: { width: '100%', height: attributes.height, border: 0 },
          })
        : el(Placeholder, { key: 'empty', label: __('3D model', 'rigcast') }, source);
      return el('div', useBlockProps(), settings, content);
    },
    save: () => null, // frame.php renders the block
  });
})();
