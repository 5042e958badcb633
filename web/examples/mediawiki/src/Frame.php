<?php

namespace MediaWiki\Extension\Rigcast;

/** The frame of a tag. This class uses no class of MediaWiki, so that it can be tested alone. */
class Frame
{
    /** Attributes of the tag that are parameters of embed.html. */
    private const PARAMETERS = ['src', 'files', 'animation', 'background', 'view', 'loop', 'poster'];

    /**
     * Returns the attributes of the iframe, or null if the tag has no model. Every value comes from
     * an author and is encoded in the URL.
     */
    public static function attributes(array $tag, string $page): ?array
    {
        $given = array_filter(array_intersect_key($tag, array_flip(self::PARAMETERS)), 'is_string');
        if (trim($given['src'] ?? '') === '') {
            return null;
        }
        $title = is_string($tag['title'] ?? null) ? $tag['title'] : '3D model';
        $query = array_map('trim', $given) + ['alt' => $title, 'autoplay' => '1', 'controls' => '1'];
        return [
            'src' => $page . '?' . http_build_query($query, '', '&', PHP_QUERY_RFC3986),
            'title' => $title,
            'width' => self::size($tag['width'] ?? null, 640),
            'height' => self::size($tag['height'] ?? null, 400),
            'style' => 'border:0;max-width:100%',
            'loading' => 'lazy',
            'allow' => 'fullscreen',
        ];
    }

    private static function size($value, int $default): int
    {
        return is_numeric($value) ? min(max((int) $value, 100), 2000) : $default;
    }
}
