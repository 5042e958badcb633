<?php
/**
 * Plugin Name: rigcast
 * Description: A block that shows 3D models with their animations.
 * Version: 0.1.0
 * Requires at least: 6.3
 * Requires PHP: 7.4
 * License: MIT
 */

defined('ABSPATH') || exit;

require __DIR__ . '/frame.php';

/** Returns the URL of embed.html. Sites with a copy of their own set it with the filter. */
function rigcast_page(): string
{
    return apply_filters('rigcast_page', 'https://unpkg.com/rigcast@0.1.0/dist/embed.html');
}

add_action('init', static function (): void {
    register_block_type(__DIR__, [
        'render_callback' => static fn(array $attributes): string => sprintf(
            '<div %s>%s</div>',
            get_block_wrapper_attributes(),
            rigcast_frame($attributes, rigcast_page())
        ),
    ]);
    wp_add_inline_script('rigcast-viewer-editor-script', 'window.rigcastPage = ' . wp_json_encode(rigcast_page()) . ';', 'before');
});
